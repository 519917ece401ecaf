import { Button, Group, List, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { senderForms } from '../../contract/senders/generated/sender-forms.ts'
import { senderNames } from '../../contract/senders/sender-names.ts'
import type { DeliveryMethod, SenderState } from '../../packages/client/src/admin.ts'
import { RowList } from '../parts/lists/row-list.tsx'
import type { Carrier } from '../parts/messages/carriers.ts'
import { moved } from '../parts/ordering/moved.ts'
import { Section } from '../parts/settings/section.tsx'
import type { SettingsForm } from '../parts/settings/use-settings.ts'
import { EditSender } from './edit-sender.tsx'
import { SenderMenu } from './sender-menu.tsx'
import { StateOfSender } from './sender-state.tsx'
import { destinationOf, idOf, type Sender } from './senders.ts'
import { WhoSends } from './who-sends.tsx'

interface SenderListProps {
  readonly form: SettingsForm
  readonly tenantId: string
  readonly method: DeliveryMethod
  readonly carrier: Carrier | undefined
  /** As the server sees them; undefined when it is not known. */
  readonly states: readonly SenderState[] | undefined
  /** Sends a test with the sender of this name alone; left out for operators who may not. */
  readonly onTest: ((name: string) => void) | undefined
}

const titles = { email: 'Senders of e-mail', sms: 'Senders of SMS' } as const

/** The tenant's senders of a channel, tried in this order. */
export function SenderList({ form, tenantId, method, carrier, states, onTest }: SenderListProps) {
  const { modules = {}, mayChange, problems, sent, changes } = form
  const senders = (modules.delivery?.[method] ?? []) as readonly Sender[]
  // It may have moved since. One that was edited since is judged by the next save.
  const indexWhenSent = (sender: Sender) => (sent?.delivery?.[method] as readonly Sender[] | undefined)?.indexOf(sender)
  const names = senderNames(senders)
  const known = states?.filter((state) => state.method === method) ?? []
  /** null: a new one is added. */
  const [edited, setEdited] = useState<number | null | 'none'>('none')
  function edit(index: number | null): void {
    // Begins a draft: what others save meanwhile would move another sender to this place.
    form.change(modules, true)
    setEdited(index)
  }
  function close(): void {
    form.change(modules)
    setEdited('none')
  }
  function change(next: readonly Sender[]): void {
    const { [method]: _before, ...rest } = modules.delivery ?? {}
    // Without an own sender the deployment's are used.
    const delivery = next.length === 0 ? rest : { ...rest, [method]: next }
    form.change({ ...modules, delivery: delivery as NonNullable<typeof modules.delivery> })
  }
  const refusal =
    carrier === 'inbox' ? 'in production only' : changes.length > 0 ? 'save first: what is stored is tested' : null
  const rows = senders.map((sender, index) => {
    const name = names[index]!
    const move = (to: number) => () => change(moved(senders, index, to))
    return {
      id: idOf(sender),
      title: name,
      content: (
        <>
          <Stack gap={4} miw={0} flex={1}>
            <Group gap="xs">
              <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
                {index + 1}. <bdi>{name}</bdi>
              </Text>
              <StateOfSender state={known.find((state) => state.name === name)} />
            </Group>
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {senderForms[sender.type].label} · {destinationOf(sender)}
            </Text>
            <Problems problems={problems} path={`delivery.${method}.${indexWhenSent(sender)}`} />
          </Stack>
          <SenderMenu
            name={name}
            mayChange={mayChange}
            test={onTest && { act: () => onTest(name), refusal }}
            onEdit={() => edit(index)}
            onUp={index > 0 ? move(index - 1) : undefined}
            onDown={index < senders.length - 1 ? move(index + 1) : undefined}
            onRemove={() => change(senders.toSpliced(index, 1))}
          />
        </>
      ),
    }
  })
  return (
    <Section
      title={titles[method]}
      about={<WhoSends {...{ method, carrier, states, tenantId }} hasOwn={senders.length > 0} />}
    >
      {rows.length > 0 && (
        <RowList
          label={`${titles[method]}, in order of preference`}
          rows={rows}
          onMove={mayChange ? (from, to) => change(moved(senders, from, to)) : undefined}
        />
      )}
      {mayChange && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => edit(null)}
          style={{ alignSelf: 'flex-start' }}
        >
          Add a sender
        </Button>
      )}
      {edited !== 'none' && (
        <EditSender
          method={method}
          sender={edited === null ? null : (senders[edited] ?? null)}
          onClose={close}
          onDone={(sender) => {
            setEdited('none')
            change(edited === null ? [...senders, sender] : senders.with(edited, sender))
          }}
        />
      )}
    </Section>
  )
}

/** The server's messages about one sender. */
function Problems({ problems, path }: { readonly problems: Readonly<Record<string, string>>; readonly path: string }) {
  const own = Object.entries(problems).filter(([key]) => key === path || key.startsWith(`${path}.`))
  return (
    own.length > 0 && (
      <List size="xs" c="var(--mantine-color-error)" tabIndex={-1} data-refused>
        {own.map(([key, message]) => (
          <List.Item key={key}>
            {key.slice(path.length + 1)}: {message}
          </List.Item>
        ))}
      </List>
    )
  )
}
