import type { SendMailOptions } from 'nodemailer'
import { normaliseEmail } from '../../../contract/email-address.ts'
import { PermanentFailure, type RenderedMessage, TemporaryFailure } from '../provider.ts'

/** A From address. */
export interface MailAddress {
  readonly address: string
  readonly name: string | null
}

/**
 * Builds an e-mail for nodemailer, identical on every attempt: `Message-ID` and boundary are derived from the message's
 * id, and `Date` is its creation time. Addresses are passed in parts instead of text to parse, and no header value can
 * contain a line break (threat C22).
 * @throws PermanentFailure for an invalid recipient; TemporaryFailure for a missing or invalid From address
 */
export function composeMail(message: RenderedMessage, ownFrom: MailAddress | null): SendMailOptions {
  const { id, recipient, subject, text, html, createdAt } = message
  if (normaliseEmail(recipient) !== recipient) throw new PermanentFailure('The recipient is not an e-mail address')
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id))
    throw new PermanentFailure('The id of the message cannot be part of a Message-ID')
  const from = message.from ?? ownFrom
  const address = from === null ? null : mailableAddress(from.address)
  if (from === null || address === null)
    throw new TemporaryFailure('There is no address to send from: set the from-address of the tenant, or MAIL_FROM')
  const to = { address: recipient, name: '' }
  return {
    from: { address, name: oneLine(from.name ?? '') },
    to,
    envelope: { from: { address, name: '' }, to: [to] },
    subject: oneLine(subject ?? ''),
    text: text.toWellFormed(),
    ...(html === null ? {} : { html: html.toWellFormed() }),
    messageId: `<${id}@${address.slice(address.indexOf('@') + 1)}>`,
    date: new Date(createdAt),
    baseBoundary: id,
    headers: {
      'Auto-Submitted': 'auto-generated', // RFC 3834: prevents automatic replies.
      'X-Entity-Ref-ID': id, // Prevents mail clients from grouping several codes into one conversation.
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * The From address with its domain in ASCII; null for an invalid address. The local part keeps its case, because
 * providers compare it with the identity they verified.
 */
export function mailableAddress(address: string): string | null {
  const normalised = /^\S+$/.test(address) ? normaliseEmail(address) : null
  if (normalised === null) return null
  return address.slice(0, address.indexOf('@')) + normalised.slice(normalised.indexOf('@'))
}

/** Header text without control characters; nodemailer encodes non-ASCII text. */
const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
