import type { DeliveryMethod } from '../accounts/otp.ts'

/** What a form says about a setting. */
export interface FieldTexts {
  readonly label: string
  readonly description?: string
  /** An example of a value. The default of the schema is shown without it. */
  readonly placeholder?: string
}

/** A setting of a sender in a form. */
export interface SenderField extends FieldTexts {
  readonly name: string
  /** Used when the field is empty. */
  readonly defaultValue?: string
  /** Never shown: an empty field keeps what is stored. */
  readonly isSecret?: true
  readonly isNumber?: true
}

/** What a page needs to edit senders of one type. `generated/sender-forms.ts` has one for each. */
export interface SenderForm {
  readonly label: string
  readonly methods: readonly DeliveryMethod[]
  /** See `SenderKind.destination`. */
  readonly destination: readonly string[]
  /** Besides `name`, which every sender has. */
  readonly fields: readonly SenderField[]
}
