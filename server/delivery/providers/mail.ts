import type { SendMailOptions } from 'nodemailer'
import { normaliseEmail } from '../../../contract/email-address.ts'
import { PermanentFailure, type RenderedMessage, TemporaryFailure } from '../provider.ts'

/** Where e-mail comes from. */
export interface MailAddress {
  readonly address: string
  readonly name: string | null
}

/**
 * An e-mail for nodemailer, the same to the byte on every attempt: `Message-ID` and boundary are made of the message's
 * id, `Date` is its birth. Addresses are given as parts, never as text to be parsed, and neither they nor the header
 * texts can hold a line break (threat C22).
 * @throws PermanentFailure for a recipient that is no e-mail address of ours, TemporaryFailure for such a from-address
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
      'Auto-Submitted': 'auto-generated', // RFC 3834: no vacation answers, please.
      'X-Entity-Ref-ID': id, // Keeps mail programs from folding several codes into one conversation.
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * An address to send from, its domain in ASCII, or null. Unlike a recipient's, its local part keeps its case: providers
 * compare it with the identity they verified.
 */
export function mailableAddress(address: string): string | null {
  const normalised = /^\S+$/.test(address) ? normaliseEmail(address) : null
  if (normalised === null) return null
  return address.slice(0, address.indexOf('@')) + normalised.slice(normalised.indexOf('@'))
}

/** Text for a header: nodemailer encodes what is not ASCII, control characters would only make it unreadable. */
const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
