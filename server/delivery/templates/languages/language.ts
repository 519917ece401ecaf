import type { NoticeKind, TemplateKind } from '../../../../contract/delivery-templates.ts'
import type { OtpScope } from '../../../../contract/otp.ts'

/** What the texts are filled with: plain, on one line, escaped by whoever makes HTML of them. */
export interface Words {
  readonly tenant: string
  readonly code: string
  /** With its unit, in the language: `10 minutes`. */
  readonly minutes: string
}

/** A sentence or more. */
export type Phrase = (words: Words) => string

/** An e-mail with a code in the middle; how long it is valid is said for all kinds alike. */
export interface CodeEmail {
  readonly subject: Phrase
  readonly heading: Phrase
  /** Before the code. */
  readonly intro: Phrase
  /** For whoever did not ask for it. */
  readonly notYou: Phrase
}

/** An e-mail without a code. */
export interface NoticeEmail {
  readonly subject: Phrase
  readonly heading: Phrase
  readonly preheader: Phrase
  readonly paragraphs: readonly Phrase[]
}

/**
 * The built-in texts in one language. An SMS stays within 160 characters of GSM 7 bit (3GPP TS 23.038) where the language
 * can be written in it, so that it costs one message: no `ê`, `ç`, `á`, `í`, `ó`, `ú`, no typographic quotes.
 */
export interface Language {
  readonly tag: string
  /** Whole minutes, 1 or more, in the right plural. */
  readonly minutes: (count: number) => string
  /** What an inbox shows after the subject. */
  readonly preheader: Phrase
  /** After the code: until when, and that nobody will ask for it. */
  readonly validity: Phrase
  readonly codeEmails: Readonly<Record<OtpScope, CodeEmail>>
  readonly noticeEmails: Readonly<Record<NoticeKind, NoticeEmail>>
  readonly sms: Readonly<Record<TemplateKind, Phrase>>
}
