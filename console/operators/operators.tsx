import { Button, Code, Stack, Text } from '@mantine/core'
import { IconPlus, IconUserShield } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { counted } from '../parts/counted.ts'
import { credentialColumns } from '../parts/credentials/credential-columns.tsx'
import { CredentialList } from '../parts/credentials/credential-list.tsx'
import { NewSecret } from '../parts/credentials/new-secret.tsx'
import { usePageSize } from '../parts/lists/page-size.ts'
import { Empty } from '../parts/pages/empty.tsx'
import { Page } from '../parts/pages/page.tsx'
import { useCan } from '../session/session.tsx'
import { TenantName } from '../tenants/tenant-name.tsx'
import { roleOf } from './grants.ts'
import type { OperatorAct } from './operator-actions.tsx'
import { OperatorActions } from './operator-actions.tsx'
import { type Operator, operatorsQuery } from './operators-queries.ts'
import { RevokeOperator } from './revoke-operator.tsx'
import { RotateOperatorKey } from './rotate-operator-key.tsx'

const columns = credentialColumns<Operator>({
  what: 'Operator',
  below: ({ email }) =>
    email !== null && (
      <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
    ),
  own: [
    { header: 'Role', width: 120, visibleFrom: 'sm', cell: ({ scopes }) => <Access scopes={scopes} /> },
    { header: 'Tenants', width: 160, visibleFrom: 'lg', cell: ({ tenantIds }) => <Tenants tenantIds={tenantIds} /> },
  ],
  endsVisibleFrom: 'xl',
})

/** The form is loaded when it is opened: its fields are larger than the rest of the screen. */
const EditOperator = lazy(async () => ({ default: (await import('./edit-operator.tsx')).EditOperator }))

/** Who administers this deployment. */
export function Screen(): ReactNode {
  const { cursor } = useSearch({ from: '/signed-in/operators' })
  const navigate = useNavigate({ from: '/operators' })
  const [limit] = usePageSize()
  const query = useQuery({ ...operatorsQuery({ cursor, limit }), placeholderData: keepPreviousData })
  const mayWrite = useCan()('operators:write')
  const [act, setAct] = useState<OperatorAct | null>(null)
  const [key, setKey] = useState<string | null>(null)
  const end = () => setAct(null)
  return (
    <Page
      title="Operators"
      about="People and programs that administer this deployment, each with their own key."
      actions={
        mayWrite && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setAct({ type: 'new' })}>
            New operator
          </Button>
        )
      }
    >
      <CredentialList
        label="Operators"
        columns={columns}
        menu={mayWrite ? (operator) => <OperatorActions operator={operator} onAct={setAct} /> : null}
        query={query}
        cursor={cursor}
        onCursor={(next) => void navigate({ search: { cursor: next } })}
        empty={
          <Empty title="No operators yet" Icon={IconUserShield}>
            The root key does not show who used it. Create an operator for each person and program: the activity then
            says who did what, and one key can be revoked alone.
          </Empty>
        }
      />
      <Text size="xs" c="dimmed" mt="sm" hidden={query.isPending}>
        The root key is not in this list: it opens everything and does not end. Once an operator may administer
        operators, it can be switched off with <Code>TENANTRY_ADMIN_KEY=off</Code>. While it is off, the last such
        operator cannot be revoked.
      </Text>
      <Suspense>
        {act?.type === 'new' && <EditOperator operator={null} onMade={setKey} onClose={end} />}
        {act?.type === 'edit' && <EditOperator operator={act.of} onMade={setKey} onClose={end} />}
      </Suspense>
      {act?.type === 'rotate' && <RotateOperatorKey operator={act.of} onMade={setKey} onClose={end} />}
      {act?.type === 'revoke' && <RevokeOperator operator={act.of} onClose={end} />}
      <NewSecret value={key} title="The operator’s key" what="key" onClose={() => setKey(null)}>
        <Text size="sm">
          Give it to the operator through a secure channel. They sign in to this console with it, or with{' '}
          <Code>tenantry login</Code>.
        </Text>
      </NewSecret>
    </Page>
  )
}

function Access({ scopes }: Pick<Operator, 'scopes'>) {
  const role = roleOf(scopes)
  if (role !== null) return role[0]!.toUpperCase() + role.slice(1)
  return (
    <Text span size="sm" title={scopes.join(', ')}>
      {counted(scopes.length, 'scope')}
    </Text>
  )
}

function Tenants({ tenantIds }: Pick<Operator, 'tenantIds'>) {
  if (tenantIds === null) return 'All'
  return (
    <Stack gap={0}>
      {/* A name on one line would make the table wider than the page. */}
      <Text span size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        <TenantName tenantId={tenantIds[0]!} />
      </Text>
      {tenantIds.length > 1 && (
        <Text span size="sm">
          and {tenantIds.length - 1} more
        </Text>
      )}
    </Stack>
  )
}
