import type { FieldComponent } from '../../../contract/fields/field-component.ts'
import type { ComponentControl, ComponentOption, LocalizedText } from '../../../contract/profile-schema.ts'

/** A component of any type: every `ProfileComponent` is one. For code that treats all types alike. */
export interface SchemaComponent extends FieldComponent {
  readonly label?: LocalizedText | undefined
  readonly description?: LocalizedText | undefined
  readonly placeholder?: LocalizedText | undefined
  readonly control?: ComponentControl | undefined
  readonly messages?: Readonly<Record<string, LocalizedText>> | undefined
  readonly options?: readonly ComponentOption[] | undefined
  readonly sensitive?: boolean | undefined
  readonly unique?: boolean | undefined
  readonly uniqueBy?: 'folded' | 'exact' | undefined
  readonly searchable?: boolean | undefined
  readonly claim?: boolean | undefined
  readonly claimFromUser?: boolean | undefined
}
