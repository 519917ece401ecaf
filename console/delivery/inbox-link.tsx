import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** A link within a sentence to the codes of a tenant. */
export const InboxLink = ({ tenantId }: { readonly tenantId: string }) => (
  <Anchor
    size="sm"
    underline="always"
    renderRoot={(props) => <Link {...props} to="/code-inbox" search={{ tenantId }} />}
  >
    code inbox
  </Anchor>
)
