import { Stack } from '@mantine/core'
import { ConditionEditor } from './condition-editor.tsx'
import type { SettingsProps } from './settings-props.ts'

const conditions = [
  {
    member: 'visibleWhen',
    label: 'Shown only while',
    help: 'While it does not hold, the field does not exist: its value is cleared.',
  },
  { member: 'requiredWhen', label: 'Required while', help: 'While it holds, the field must have a value.' },
  {
    member: 'lockedWhen',
    label: 'Locked while',
    help: 'While it holds on the stored profile, users cannot change the field.',
  },
] as const

/** When the field exists, must have a value, and cannot be changed. */
export const FieldConditions = ({ field, change }: SettingsProps) => (
  <Stack gap="lg">
    {conditions.map(({ member, ...words }) => (
      <ConditionEditor
        key={member}
        {...words}
        at={member}
        condition={field[member]}
        field={field.key}
        onChange={(condition) => change({ [member]: condition })}
      />
    ))}
  </Stack>
)
