import { Group } from '@mantine/core'
import type { DeliveryMethod, SenderState } from '../../packages/client/src/admin.ts'
import type { Carrier } from '../parts/messages/carriers.ts'
import { channels } from '../parts/messages/message-kinds.ts'
import { InboxLink } from './inbox-link.tsx'
import { StateOfSender } from './sender-state.tsx'

interface WhoSendsProps {
  readonly method: DeliveryMethod
  /** Undefined until it is known. */
  readonly carrier: Carrier | undefined
  /** Whether the tenant has senders, which outside production are not used. */
  readonly hasOwn: boolean
  /** As the server sees them; undefined when it is not known. */
  readonly states: readonly SenderState[] | undefined
  readonly tenantId: string
}

/** Who carries the messages of a channel at the moment. */
export function WhoSends({ method, carrier, hasOwn, states = [], tenantId }: WhoSendsProps) {
  if (carrier === 'inbox')
    return (
      <>
        {hasOwn ? 'These are used in production only. Here, ' : 'Outside production nothing is sent: '}
        {method === 'email' ? 'e-mail' : 'every SMS'} goes to the <InboxLink tenantId={tenantId} />.
      </>
    )
  if (carrier === 'tenant')
    return 'The first that works sends a message. One that fails five times in a row is skipped for a while.'
  if (carrier === 'none')
    return `Nothing sends ${channels[method]}: neither the tenant nor the deployment has a sender. Add one here.`
  const own = states.filter((state) => state.method === method)
  if (carrier === undefined || own.length === 0) return carrier && "The deployment's own senders are used."
  return (
    <Group gap="xs">
      The deployment's own senders are used:
      {own.map((state) => (
        <Group gap={6} key={state.name}>
          <bdi>{state.name}</bdi>
          <StateOfSender state={state} />
        </Group>
      ))}
    </Group>
  )
}
