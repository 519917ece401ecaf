import type { NoticeKind, TemplateKind } from '../../../../contract/delivery-templates.ts'
import type { OtpScope } from '../../../../contract/otp.ts'
import type { UndoableKind } from '../message-kinds.ts'

/** What the texts are filled with: plain, on one line, escaped by whoever makes HTML of them. */
export interface Words {
  readonly tenant: string
  readonly code: string
  /** With its unit, in the language: `10 minutes`. */
  readonly minutes: string
  /** The id that is entered with an undo code. */
  readonly id: string
  /** With its unit: `72 hours`. */
  readonly hours: string
}

/** A sentence or more. */
export type Phrase = (words: Words) => string

/** An e-mail with a code in the middle; how long it is valid is said for all kinds alike. */
export interface CodeEmail {
  readonly subject: Phrase
  readonly heading: Phrase
  /** Before the code. */
  readonly intro: Phrase
  /** For a recipient who did not request it. */
  readonly notYou: Phrase
}

/** A security notice: what happened, then `wasYou`, then what to do otherwise. */
export interface NoticeEmail {
  readonly subject: Phrase
  readonly heading: Phrase
  readonly happened: Phrase
  /** Replaced by the undo code in a notice that carries one. */
  readonly notYou: Phrase
}

/** The part of a notice that undoes a change of address. An SMS costs two messages at most. */
export interface Undo {
  /** Before the code and the id. */
  readonly email: Readonly<Record<UndoableKind, Phrase>>
  readonly codeLabel: string
  readonly idLabel: string
  /** After them: until when they can be used, and that no one will ask for them. */
  readonly validity: Phrase
  /** Where to turn if that fails. */
  readonly help: Phrase
  readonly sms: Readonly<Record<UndoableKind, Phrase>>
}

/**
 * The built-in texts in one language. An SMS stays within 160 characters of GSM 7 bit (3GPP TS 23.038) where the language
 * can be written in it, so that it costs one message: no `ê`, `ç`, `á`, `í`, `ó`, `ú`, no typographic quotes.
 */
export interface Language {
  readonly tag: string
  /** Whole minutes, 1 or more, in the right plural. */
  readonly minutes: (count: number) => string
  /** Whole hours, likewise. */
  readonly hours: (count: number) => string
  /** What an inbox shows after the subject. */
  readonly preheader: Phrase
  /** After the code: until when it is valid, and that no one will ask for it. */
  readonly validity: Phrase
  readonly codeEmails: Readonly<Record<OtpScope, CodeEmail>>
  readonly noticePreheader: string
  /** Nothing to do. */
  readonly wasYou: string
  readonly noticeEmails: Readonly<Record<NoticeKind, NoticeEmail>>
  readonly undo: Undo
  readonly sms: Readonly<Record<TemplateKind, Phrase>>
}
