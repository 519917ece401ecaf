import { Stack } from '@mantine/core'
import { ConditionEditor } from './condition-editor.tsx'
import type { SettingsProps } from './field-settings.tsx'

/** When the field exists, must have a value, and cannot be changed. */
export function FieldConditions({ field, change }: SettingsProps) {
  return (
    <Stack gap="lg">
      <ConditionEditor
        label="Shown only while"
        at="visibleWhen"
        help="While it does not hold, the field does not exist: its value is cleared."
        condition={field.visibleWhen}
        field={field.key}
        onChange={(visibleWhen) => change({ visibleWhen })}
      />
      <ConditionEditor
        label="Required while"
        at="requiredWhen"
        help="While it holds, the field must have a value."
        condition={field.requiredWhen}
        field={field.key}
        onChange={(requiredWhen) => change({ requiredWhen })}
      />
      <ConditionEditor
        label="Locked while"
        at="lockedWhen"
        help="While it holds on the stored profile, users cannot change the field."
        condition={field.lockedWhen}
        field={field.key}
        onChange={(lockedWhen) => change({ lockedWhen })}
      />
    </Stack>
  )
}
