import { Combobox, Group as Line, Modal, Text, TextInput, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { anyScript } from '../parts/any-script.ts'
import { longestTenantName } from '../tenants/tenant-options.ts'
import { type DestinationGroup, useDestinations } from './go-to-options.ts'

interface GoToProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Ctrl K: goes to a screen, a tenant, or a user whose id, address or number is pasted. */
export function GoTo({ isOpen, onClose }: GoToProps): ReactNode {
  return (
    <Modal.Root opened={isOpen} onClose={onClose} centered={false} yOffset="10dvh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label="Go to" style={{ overflow: 'hidden' }}>
        <Modal.Body p={0}>
          <Destinations onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Destinations({ onClose }: Pick<GoToProps, 'onClose'>): ReactNode {
  const { tenantId } = useParams({ strict: false })
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  // The places are shown as long as the dialog: Escape closes both.
  const box = useCombobox({ opened: true, onOpenedChange: (isOpen) => !isOpen && onClose() })
  const groups = useDestinations(typed, tenantId)
  const first = groups[0]?.isOld === false ? groups[0].destinations[0]?.path : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: other places begin at the first again
  useEffect(() => {
    // Enter does nothing until the first place is one of what is typed.
    box.resetSelectedOption()
    if (first !== undefined) box.selectFirstOption()
  }, [first, typed])
  return (
    <Combobox
      store={box}
      onOptionSubmit={(path) => {
        onClose()
        void navigate({ to: path })
      }}
    >
      <Combobox.EventsTarget withExpandedAttribute={false}>
        <TextInput
          size="md"
          variant="unstyled"
          px="md"
          py={6}
          aria-label="Go to"
          // As long as a phone has room for.
          placeholder={tenantId === undefined ? 'Screen or tenant' : 'Screen, tenant or user'}
          leftSection={<IconSearch size={18} aria-hidden />}
          leftSectionWidth={30}
          styles={{ section: { justifyContent: 'flex-start' } }}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          maxLength={longestTenantName}
          {...anyScript}
          // What is typed at once must not be lost.
          autoFocus
          data-autofocus
        />
      </Combobox.EventsTarget>
      <div style={{ maxHeight: '60dvh', overflowY: 'auto', borderTop: '1px solid var(--line)' }}>
        <Combobox.Options p={6} aria-label="Places">
          {groups.map((group) => (
            <Group key={group.name} {...group} />
          ))}
          {groups.length === 0 && (
            <Combobox.Empty style={{ overflowWrap: 'anywhere' }}>
              Nothing is called “{typed.trim()}”{tenantId === undefined && '. To find a user, open the tenant first.'}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </div>
    </Combobox>
  )
}

function Group({ name, destinations }: DestinationGroup): ReactNode {
  // What is always short stays whole: the label of a screen, the end of an id.
  const isShortLabel = name === 'Screens'
  return (
    <Combobox.Group label={name}>
      {destinations.map(({ path, label, about }) => (
        <Combobox.Option value={path} key={path}>
          <Line gap="md" justify="space-between" wrap="nowrap">
            <Text size="sm" fw={500} truncate dir="auto" {...(isShortLabel && { flex: 'none' })}>
              {label}
            </Text>
            {about !== undefined && (
              <Text size="xs" c="dimmed" truncate dir="auto" {...(!isShortLabel && { flex: 'none' })}>
                {about}
              </Text>
            )}
          </Line>
        </Combobox.Option>
      ))}
    </Combobox.Group>
  )
}
