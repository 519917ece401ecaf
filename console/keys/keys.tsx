import { Button, Code } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { credentialColumns } from '../parts/credentials/credential-columns.tsx'
import { CredentialList } from '../parts/credentials/credential-list.tsx'
import { NewSecret } from '../parts/credentials/new-secret.tsx'
import { Id } from '../parts/id.tsx'
import { usePageSize } from '../parts/lists/page-size.ts'
import { Empty } from '../parts/pages/empty.tsx'
import { Page } from '../parts/pages/page.tsx'
import { Time } from '../parts/times/time.tsx'
import { useCan } from '../session/session.tsx'
import type { KeyAct } from './key-actions.tsx'
import { KeyActions } from './key-actions.tsx'
import { keysQuery, type TenantKey } from './keys-queries.ts'
import { NewKey } from './new-key.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'
import { UseKey } from './use-key.tsx'

const kinds = { publishable: 'Publishable', secret: 'Secret' } as const

const columns = credentialColumns<TenantKey>({
  what: 'Key',
  below: ({ id }) => <Id value={id} inList />,
  own: [{ header: 'Kind', width: 120, visibleFrom: 'sm', cell: ({ kind }) => kinds[kind] }],
  last: [{ header: 'Created', width: 150, visibleFrom: 'xl', cell: ({ createdAt }) => <Time at={createdAt} /> }],
  endsVisibleFrom: 'lg',
})

/** The keys with which applications call the service for this tenant. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId/keys' })
  const { cursor } = useSearch({ from: '/signed-in/tenants/$tenantId/keys' })
  const navigate = useNavigate({ from: '/tenants/$tenantId/keys' })
  const [limit] = usePageSize()
  const query = useQuery({ ...keysQuery(tenantId, { cursor, limit }), placeholderData: keepPreviousData })
  const mayWrite = useCan()('keys:write', tenantId)
  const [act, setAct] = useState<KeyAct | null>(null)
  const [made, setMade] = useState<{ readonly key: string; readonly kind: TenantKey['kind'] } | null>(null)
  const end = () => setAct(null)
  const newKey = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAct({ type: 'new' })}>
      New key
    </Button>
  )
  return (
    <Page
      title="Keys"
      about="Applications name their tenant with a key. A publishable key may ship in an app or a web page; a secret key stays on a server."
      actions={mayWrite && newKey}
    >
      <CredentialList
        label="Keys"
        columns={columns}
        menu={mayWrite ? (key) => <KeyActions tenantKey={key} onAct={setAct} /> : null}
        query={query}
        cursor={cursor}
        onCursor={(next) => void navigate({ search: { cursor: next } })}
        empty={
          <Empty title="Applications need a key" Icon={IconKey}>
            {mayWrite ? (
              <>
                Create one, and send it with each call in the header <Code>X-Tenant-Key</Code>.
              </>
            ) : (
              'No key was created yet.'
            )}
          </Empty>
        }
      />
      {act?.type === 'new' && <NewKey tenantId={tenantId} onMade={setMade} onClose={end} />}
      {act?.type === 'rotate' && <RotateKey tenantId={tenantId} tenantKey={act.of} onMade={setMade} onClose={end} />}
      {act?.type === 'revoke' && <RevokeKey tenantId={tenantId} tenantKey={act.of} onClose={end} />}
      <NewSecret value={made?.key ?? null} title="The new key" what="key" onClose={() => setMade(null)}>
        {made && <UseKey tenantKey={made.key} kind={made.kind} />}
      </NewSecret>
    </Page>
  )
}
