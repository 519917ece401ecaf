import type { ProfileFormField } from '../../../packages/client/src/react/profile-fields.ts'

/** What the control of one field gets. */
export interface ControlProps {
  readonly field: ProfileFormField
  readonly locale: string
  readonly onChange: (value: unknown) => void
  /** For Mantine's inputs. */
  readonly input: {
    readonly label: string
    readonly description?: string
    readonly error?: string
    readonly disabled: boolean
    readonly required: boolean
    readonly name: string
  }
}
