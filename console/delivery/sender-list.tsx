import { ActionIcon, Button, Group, List, Menu, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { senderNames } from '../../contract/sender-names.ts'
import type { DeliveryMethod, SenderState } from '../../packages/client/src/admin.ts'
import { channels } from '../parts/message-kinds.ts'
import { Section } from '../parts/settings/section.tsx'
import type { SettingsForm } from '../parts/settings/use-settings.ts'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { EditSender } from './edit-sender.tsx'
import { destinationOf, moved, type Sender, senderKinds } from './senders.ts'

interface SenderListProps {
  readonly form: SettingsForm
  readonly method: DeliveryMethod
  /** As the server sees them; undefined when it is not known. */
  readonly states: readonly SenderState[] | undefined
}

const titles = { email: 'Senders of e-mail', sms: 'Senders of SMS' } as const

/** The tenant's senders of a channel, tried in this order. */
export function SenderList({ form, method, states }: SenderListProps) {
  const { modules = {}, mayChange, problems } = form
  const senders = (modules.delivery?.[method] ?? []) as readonly Sender[]
  const names = senderNames(senders)
  const known = states?.filter((state) => state.method === method) ?? []
  /** null: a new one is added. */
  const [edited, setEdited] = useState<number | null | 'none'>('none')
  function change(next: readonly Sender[]): void {
    const { [method]: _before, ...rest } = modules.delivery ?? {}
    // Without an own sender the deployment's are used.
    const delivery = next.length === 0 ? rest : { ...rest, [method]: next }
    form.change({ ...modules, delivery: delivery as NonNullable<typeof modules.delivery> })
  }
  return (
    <Section
      title={titles[method]}
      about={
        senders.length === 0 ? (
          <DeploymentSenders method={method} states={states} />
        ) : (
          'The first that works sends a message. One that fails five times in a row is skipped for a while.'
        )
      }
    >
      {senders.length > 0 && (
        <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
          {senders.map((sender, index) => (
            <Stack component="li" key={names[index]} gap={4} className="quiet-row">
              <Group justify="space-between" wrap="nowrap" gap="sm">
                <Stack gap={0} miw={0}>
                  <Group gap="xs">
                    <Text fw={600} size="sm">
                      {index + 1}. <bdi>{names[index]}</bdi>
                    </Text>
                    <StateOf state={known.find(({ name }) => name === names[index])} />
                  </Group>
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {senderKinds[sender.type].label} · {destinationOf(sender)}
                  </Text>
                </Stack>
                {mayChange && (
                  <Menu position="bottom-end">
                    <Menu.Target>
                      <ActionIcon variant="subtle" color="gray" c="inherit" aria-label={`Actions for ${names[index]}`}>
                        <IconDots size={18} />
                      </ActionIcon>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setEdited(index)}>
                        Edit
                      </Menu.Item>
                      <Menu.Item
                        leftSection={<IconArrowUp size={16} />}
                        disabled={index === 0}
                        onClick={() => change(moved(senders, index, -1))}
                      >
                        Move up
                      </Menu.Item>
                      <Menu.Item
                        leftSection={<IconArrowDown size={16} />}
                        disabled={index === senders.length - 1}
                        onClick={() => change(moved(senders, index, 1))}
                      >
                        Move down
                      </Menu.Item>
                      <Menu.Item
                        leftSection={<IconTrash size={16} />}
                        onClick={() => change(senders.filter((_, at) => at !== index))}
                      >
                        Remove
                      </Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                )}
              </Group>
              <Problems problems={problems} path={`delivery.${method}.${index}`} />
            </Stack>
          ))}
        </Stack>
      )}
      {mayChange && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => setEdited(null)}
          style={{ alignSelf: 'flex-start' }}
        >
          Add a sender
        </Button>
      )}
      {edited !== 'none' && (
        <EditSender
          method={method}
          sender={edited === null ? null : (senders[edited] ?? null)}
          onClose={() => setEdited('none')}
          onDone={(sender) => {
            setEdited('none')
            change(edited === null ? [...senders, sender] : senders.with(edited, sender))
          }}
        />
      )}
    </Section>
  )
}

/** Who sends while the tenant has no sender of this channel. */
function DeploymentSenders({
  method,
  states = [],
}: Pick<SenderListProps, 'method'> & { states?: SenderListProps['states'] }) {
  const own = states.filter((state) => state.method === method)
  if (states.length > 0 && own.length === 0)
    return `Nothing sends ${channels[method]}: the deployment has no sender either.`
  if (own.length === 0) {
    return "The deployment's own senders are used. Outside production, messages go to the code inbox."
  }
  return (
    <Group gap="xs">
      The deployment's own senders are used:
      {own.map((state) => (
        <Group gap={6} key={state.name}>
          <bdi>{state.name}</bdi>
          <StateOf state={state} />
        </Group>
      ))}
    </Group>
  )
}

function StateOf({ state }: { readonly state: SenderState | undefined }) {
  if (state === undefined) return null
  if (state.state === 'ok') return <State tone="good">Works</State>
  return (
    <>
      <State tone="bad">Fails</State>
      <Text span size="xs" c="var(--bad-text)" style={{ overflowWrap: 'anywhere' }}>
        {state.lastError}
        {state.until !== null && (
          <>
            {' '}
            Tried again <Time at={state.until} />.
          </>
        )}
      </Text>
    </>
  )
}

/** The server's messages about one sender. */
function Problems({ problems, path }: { readonly problems: Readonly<Record<string, string>>; readonly path: string }) {
  const own = Object.entries(problems).filter(([key]) => key === path || key.startsWith(`${path}.`))
  return (
    own.length > 0 && (
      <List size="xs" c="var(--mantine-color-error)">
        {own.map(([key, message]) => (
          <List.Item key={key}>
            {key.slice(path.length + 1)}: {message}
          </List.Item>
        ))}
      </List>
    )
  )
}
