import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCan } from '../session/session.tsx'

/** The code inbox within a sentence: a link to the codes of a tenant for operators who may read them. */
export function InboxLink({ tenantId }: { readonly tenantId: string }) {
  const mayRead = useCan()('codes:read', tenantId)
  if (!mayRead) return 'code inbox'
  return (
    <Anchor
      size="sm"
      underline="always"
      renderRoot={(props) => <Link {...props} to="/code-inbox" search={{ tenantId }} />}
    >
      code inbox
    </Anchor>
  )
}
