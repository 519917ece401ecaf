import { Group, Kbd, Modal, Stack, Switch, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLetterKeysOn } from '../parts/letter-keys.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
/** The key that `Ctrl` is on other machines. */
export const controlKey = isMac ? '⌘' : 'Ctrl'

// biome-ignore format: one line a shortcut
const shortcuts: readonly (readonly [readonly string[], string])[] = [
  [[controlKey, 'K'], 'Go to a screen, a tenant or a user'],
  [['/'], 'Search on this screen'],
  [['g', 't'], 'Tenants'],
  [['g', 'i'], 'Code inbox'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['c'], 'Copy the code, in the code inbox'],
  [['?'], 'This list'],
  [['Esc'], 'Close'],
]

/** The list of shortcuts, with the switch for those that are single characters (WCAG 2.1.4). */
export function Shortcuts({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const [isOn, setOn] = useLetterKeysOn()
  return (
    <Modal opened={isOpen} onClose={onClose} title={<Text fw={650}>Keyboard shortcuts</Text>}>
      <Stack>
        <Table aria-label="Keyboard shortcuts" borderColor="var(--line)">
          <Table.Tbody>
            {shortcuts.map(([keys, does]) => (
              <Table.Tr key={does}>
                <Table.Th scope="row" fw={400}>
                  <Text size="sm">{does}</Text>
                </Table.Th>
                <Table.Td>
                  <Group gap={4} justify="flex-end" wrap="nowrap">
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label="Single keys"
          description={`Off, only shortcuts with ${controlKey} and the keys of buttons and links work. Remembered in this browser.`}
          checked={isOn}
          onChange={({ currentTarget }) => setOn(currentTarget.checked)}
        />
      </Stack>
    </Modal>
  )
}
