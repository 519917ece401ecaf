import { Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Id } from '../parts/id.tsx'
import { type Column, List } from '../parts/lists/list.tsx'
import { Empty } from '../parts/pages/empty.tsx'
import { Page } from '../parts/pages/page.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/times/time.tsx'
import { useCan } from '../session/session.tsx'
import { RotateSigningKeys } from './rotate-signing-keys.tsx'
import { type SigningKey, signingKeysQuery } from './signing-keys-queries.ts'

const states = {
  next: <State tone="info">Next</State>,
  current: <State tone="good">Signs</State>,
  previous: <State tone="quiet">Trusted</State>,
} as const

const columns: readonly Column<SigningKey>[] = [
  { header: 'Key id', isName: true, cell: ({ kid }) => <Id value={kid} what="key id" /> },
  // A phone has room for a whole id beside it.
  { header: 'State', width: 104, cell: ({ state }) => states[state] },
  { header: 'Signs from', width: 170, visibleFrom: 'sm', cell: ({ signsFrom }) => <Time at={signsFrom} /> },
  { header: 'Trusted until', width: 170, visibleFrom: 'sm', cell: ({ trustedUntil }) => <Time at={trustedUntil} /> },
  { header: 'Created', width: 150, visibleFrom: 'lg', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The keys that sign access tokens. */
export function Screen(): ReactNode {
  const query = useQuery({
    ...signingKeysQuery,
    select: ({ keys }) => ({ items: keys.toReversed(), nextCursor: null }),
  })
  const mayWrite = useCan()('system:write')
  const [act, setAct] = useState<'rotate' | 'withdraw' | null>(null)
  return (
    <Page
      title="Signing keys"
      about={
        <>
          They sign the access tokens of all tenants. Applications read the public keys at{' '}
          <Anchor href="/.well-known/jwks.json" fz="inherit" underline="always" style={{ whiteSpace: 'nowrap' }}>
            /.well-known/jwks.json
          </Anchor>
          . A new key follows by itself before one gets old.
        </>
      }
      actions={
        mayWrite && (
          <>
            <Button variant="default" c="var(--mantine-color-error)" onClick={() => setAct('withdraw')}>
              Withdraw all…
            </Button>
            <Button onClick={() => setAct('rotate')}>Rotate…</Button>
          </>
        )
      }
    >
      <List
        label="Signing keys"
        columns={columns}
        query={query}
        keyOf={({ kid }) => kid}
        empty={<Empty title="No key yet">The server makes the first one when it starts.</Empty>}
      />
      <Text size="xs" c="dimmed" mt="sm" hidden={query.isPending}>
        A new key is published ten minutes before it signs, so that applications know it in time. The key before stays
        trusted until its last token has expired.
      </Text>
      <RotateSigningKeys act={act} onClose={() => setAct(null)} />
    </Page>
  )
}
