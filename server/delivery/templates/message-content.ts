/** The content of a message in one language. `subject` and `html` are null for SMS. */
export interface MessageContent {
  readonly subject: string | null
  readonly text: string
  readonly html: string | null
  /** The language of the content. */
  readonly locale: string
}
