import { Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { NameInput } from '../parts/dialogs/name-input.tsx'
import { LocalTimeInput } from '../parts/times/local-time-input.tsx'
import { useOperator } from '../session/session.tsx'
import { TenantsSelect } from '../tenants/tenants-select.tsx'
import { mayGrant, type Role, roles, roleWords } from './grants.ts'
import type { OperatorDraft } from './operator-draft.ts'
import { ScopePicker } from './scope-picker.tsx'

interface OperatorFieldsProps {
  readonly draft: OperatorDraft
  readonly onChange: (draft: OperatorDraft) => void
  /** The server's messages by field. */
  readonly errors: Readonly<Record<string, string>>
}

/** The fields of an operator: name, access, tenants and end. Offers only what one has. */
export function OperatorFields({ draft, onChange, errors }: OperatorFieldsProps) {
  const me = useOperator()
  const own = me?.scopes ?? []
  const set = (changes: Partial<OperatorDraft>) => onChange({ ...draft, ...changes })
  const offered = (Object.keys(roles) as Role[]).filter((role) => mayGrant(own, roles[role]))
  return (
    <Stack>
      <NameInput value={draft.name} onChange={(name) => set({ name })} error={errors['name']} />
      <TextInput
        label="E-mail"
        description="Shown in the list of operators. The service sends no e-mail to it."
        value={draft.email}
        onChange={({ currentTarget }) => set({ email: currentTarget.value })}
        error={errors['email']}
        autoComplete="off"
        inputMode="email"
      />
      <Radio.Group
        label="Role"
        value={draft.role ?? 'custom'}
        onChange={(value) =>
          set(value === 'custom' ? { role: null } : { role: value as Role, scopes: roles[value as Role] })
        }
        error={errors['role'] ?? errors['scopes']}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6}>
          {offered.map((role) => (
            <Radio
              key={role}
              value={role}
              label={role[0]!.toUpperCase() + role.slice(1)}
              description={roleWords[role]}
            />
          ))}
          <Radio value="custom" label="Own choice" description="Read or write, area by area." />
        </SimpleGrid>
      </Radio.Group>
      {draft.role === null && <ScopePicker value={draft.scopes} onChange={(scopes) => set({ scopes })} own={own} />}
      <Radio.Group
        label="Tenants"
        value={draft.tenantIds === null ? 'all' : 'some'}
        onChange={(value) => set({ tenantIds: value === 'all' ? null : [] })}
      >
        <Stack gap="xs" mt={6}>
          {me?.tenantIds === null && <Radio value="all" label="All tenants, and the deployment" />}
          <Radio value="some" label="Some tenants only" />
        </Stack>
      </Radio.Group>
      {draft.tenantIds !== null && (
        <TenantsSelect
          label="Which tenants"
          value={draft.tenantIds}
          onChange={(tenantIds) => set({ tenantIds })}
          error={errors[Object.keys(errors).find((name) => /^tenantIds\b/.test(name)) ?? '']}
        />
      )}
      <LocalTimeInput
        label="Ends"
        description="In your time zone. Empty: never."
        value={draft.end}
        onChange={({ currentTarget }) => set({ end: currentTarget.value })}
        error={errors['expiresAt']}
      />
      {me?.id !== 'root' && (
        <Text size="xs" c="dimmed">
          You can grant only what you have yourself: scopes, tenants and time.
        </Text>
      )}
    </Stack>
  )
}
