import type { OtpScope } from '../../../../contract/accounts/otp.ts'
import type { NoticeKind, TemplateKind } from '../../../../contract/tenants/delivery-templates.ts'
import type { UndoableKind } from '../message-kinds.ts'

/** The values a text is filled with: plain text on one line. The HTML layout escapes them. */
export interface Words {
  readonly tenant: string
  readonly code: string
  /** With the unit, in the language of the text: `10 minutes`. */
  readonly minutes: string
  /** The id that the recipient enters with an undo code. */
  readonly id: string
  /** With the unit: `72 hours`. */
  readonly hours: string
}

/** One or more sentences. */
export type Phrase = (words: Words) => string

/** An e-mail with a code. The sentence on its validity is the same for all kinds. */
export interface CodeEmail {
  readonly subject: Phrase
  readonly heading: Phrase
  /** Shown before the code. */
  readonly intro: Phrase
  /** For a recipient who did not request the code. */
  readonly notYou: Phrase
}

/** A security notice: what happened, then `wasYou`, then `notYou`. */
interface NoticeEmail {
  readonly subject: Phrase
  readonly heading: Phrase
  readonly happened: Phrase
  /** Replaced by the undo code in a notice that carries one. */
  readonly notYou: Phrase
}

/** The part of a notice with which the recipient undoes a change of address. An SMS costs at most two messages. */
interface Undo {
  /** Shown before the code and the id. */
  readonly email: Readonly<Record<UndoableKind, Phrase>>
  readonly codeLabel: string
  readonly idLabel: string
  /** Shown after them: how long they are valid, and that staff never ask for them. */
  readonly validity: Phrase
  /** Who to contact if undoing fails. */
  readonly help: Phrase
  readonly sms: Readonly<Record<UndoableKind, Phrase>>
}

/**
 * The built-in texts in one language. Where GSM 7 bit (3GPP TS 23.038) can write the language, an SMS has at most 160 of
 * its characters and so costs one message: no `ê`, `ç`, `á`, `í`, `ó`, `ú`, no typographic quotes.
 */
export interface Language {
  readonly tag: string
  /** A whole number of minutes from 1, with the correct plural. */
  readonly minutes: (count: number) => string
  /** A whole number of hours from 1, with the correct plural. */
  readonly hours: (count: number) => string
  /** The preview text an inbox shows after the subject. */
  readonly preheader: Phrase
  /** Shown after the code: how long it is valid, and that staff never ask for it. */
  readonly validity: Phrase
  readonly codeEmails: Readonly<Record<OtpScope, CodeEmail>>
  readonly noticePreheader: string
  /** For a recipient who made the change: nothing to do. */
  readonly wasYou: string
  readonly noticeEmails: Readonly<Record<NoticeKind, NoticeEmail>>
  readonly undo: Undo
  readonly sms: Readonly<Record<TemplateKind, Phrase>>
}
