import { NativeSelect, Stack, Switch, Text } from '@mantine/core'
import { isNote } from '../draft.ts'
import { useProblemProps } from '../problems/problem-context.tsx'
import { takesFlag } from './field-kinds.ts'
import type { SettingsProps } from './settings-props.ts'

/** Who reads and writes the field, and where its value goes. */
export function FieldAccess({ field, change }: SettingsProps) {
  const { type } = field
  const problem = useProblemProps()
  const flag = (
    member: string,
    label: string,
    description: string,
    isOn: boolean,
    onChange: (isOn: boolean) => void,
  ) => (
    <Switch
      {...problem(member)}
      label={label}
      description={description}
      checked={isOn}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
  return (
    <Stack gap="md">
      {flag('writable', 'Users can change it', 'Off: only operators set it.', field.writable !== false, (isOn) =>
        change({ writable: isOn ? undefined : false }),
      )}
      {flag('readable', 'Users can read it', 'Off: users read no value.', field.readable !== false, (isOn) =>
        change({ readable: isOn ? undefined : false }),
      )}
      {isNote(field) && (
        <Text size="sm" c="var(--warn-text)" bg="var(--warn-tint)" p="xs" style={{ borderRadius: 6 }}>
          This field is your own note: apps never learn that it exists, so no section or form can show it.
        </Text>
      )}
      {flag(
        'writeOnce',
        'Can be set once',
        'Users cannot change the value once it is set.',
        field.writeOnce === true,
        (isOn) => change({ writeOnce: isOn || undefined }),
      )}
      {flag(
        'sensitive',
        'Sensitive',
        'Never in events, webhooks and logs. Exports of users have it only on request.',
        field.sensitive === true,
        (isOn) => change({ sensitive: isOn || undefined }),
      )}
      {takesFlag(type, 'searchable') &&
        flag(
          'searchable',
          'Searchable',
          'Operators find users by it. Up to 10 fields.',
          field.searchable === true,
          (isOn) => change({ searchable: isOn || undefined }),
        )}
      {takesFlag(type, 'unique') &&
        flag('unique', 'Unique', 'No two users of the tenant have the same value.', field.unique === true, (isOn) =>
          change({ unique: isOn || undefined, ...(!isOn && { uniqueBy: undefined }) }),
        )}
      {field.unique === true && (
        <NativeSelect
          {...problem('uniqueBy')}
          label="Values are the same"
          value={field.uniqueBy ?? 'folded'}
          data={[
            { value: 'folded', label: 'whatever their letter case' },
            { value: 'exact', label: 'only in the same letter case' },
          ]}
          onChange={({ currentTarget }) => change({ uniqueBy: currentTarget.value === 'exact' ? 'exact' : undefined })}
        />
      )}
      {takesFlag(type, 'claim') &&
        flag(
          'claim',
          'In access tokens',
          `As the claim profile.${field.name}. Up to 5 fields.`,
          field.claim === true,
          (isOn) => change({ claim: isOn || undefined, ...(!isOn && { claimFromUser: undefined }) }),
        )}
      {field.claim === true &&
        flag(
          'claimFromUser',
          'Users may write the claim',
          'Only if no permission depends on it.',
          field.claimFromUser === true,
          (isOn) => change({ claimFromUser: isOn || undefined }),
        )}
    </Stack>
  )
}
