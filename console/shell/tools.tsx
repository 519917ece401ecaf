import { ActionIcon, Button, Group, Kbd, Text, Tooltip } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconKeyboard, IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isDialogOpen, useLetterKeys } from '../parts/letter-keys.ts'
import { ColourScheme } from './colour-scheme.tsx'
import { GoTo } from './go-to.tsx'
import { controlKey, Shortcuts } from './shortcuts.tsx'
import { SignOut } from './sign-out.tsx'

/** The end of the bar, and the shortcuts that work on every screen. */
export function Tools(): ReactNode {
  const navigate = useNavigate()
  const [isGoingTo, goTo] = useDisclosure()
  const [showsShortcuts, shortcuts] = useDisclosure()
  // In fields and editors, too: the key writes nothing there.
  useHotkeys([['mod+K', () => isDialogOpen() || goTo.open()]], [], true)
  useLetterKeys({
    '/': () => document.querySelector<HTMLInputElement>('main [data-search]')?.focus(),
    '?': shortcuts.open,
    'g t': () => void navigate({ to: '/tenants' }),
    'g i': () => void navigate({ to: '/code-inbox' }),
  })
  const toolProps = { variant: 'subtle', color: 'gray', c: 'inherit', size: 'lg' } as const
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="default"
        visibleFrom="sm"
        size="xs"
        mr="xs"
        leftSection={<IconSearch size={14} />}
        rightSection={<Kbd size="xs">{`${controlKey} K`}</Kbd>}
        onClick={goTo.open}
      >
        <Text span size="sm" c="dimmed" fw={400}>
          Go to…
        </Text>
      </Button>
      <ActionIcon {...toolProps} hiddenFrom="sm" aria-label="Go to" onClick={goTo.open}>
        <IconSearch size={20} stroke={1.75} />
      </ActionIcon>
      <Tooltip label="Keyboard shortcuts">
        <ActionIcon {...toolProps} visibleFrom="sm" aria-label="Keyboard shortcuts" onClick={shortcuts.open}>
          <IconKeyboard size={20} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <ColourScheme />
      <SignOut />
      <GoTo isOpen={isGoingTo} onClose={goTo.close} />
      <Shortcuts isOpen={showsShortcuts} onClose={shortcuts.close} />
    </Group>
  )
}
