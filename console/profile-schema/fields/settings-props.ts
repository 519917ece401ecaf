import type { DraftField } from '../draft.ts'

/** What each part of a field's settings gets. */
export interface SettingsProps {
  readonly field: DraftField
  readonly change: (patch: Partial<DraftField>) => void
}
