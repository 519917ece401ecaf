import { Button, Code, Group, Modal, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { senderForms } from '../../../contract/senders/generated/sender-forms.ts'
import { type Change, overlaps } from './changes.ts'
import type { Conflict } from './use-settings.ts'

interface ConflictDialogProps {
  readonly conflict: Conflict | null
  readonly mine: readonly Change[]
}

/** Another operator saved first: shows both sides, and asks which to keep. Closing it keeps the draft. */
export function ConflictDialog({ conflict, mine }: ConflictDialogProps) {
  return (
    <Modal
      opened={conflict !== null}
      onClose={() => conflict?.close()}
      title={<Text fw={650}>Another operator changed this meanwhile</Text>}
      size="lg"
    >
      {conflict !== null && (
        <Stack>
          <Text size="sm">
            {overlaps(mine, conflict.theirs)
              ? 'You and another operator changed the same settings. “Keep mine” saves your values, and their other changes stay.'
              : 'Another operator changed other settings. “Keep mine” saves your changes, and theirs stay.'}
          </Text>
          <Changes label="Yours" changes={mine} />
          <Changes label="Theirs" changes={conflict.theirs} />
          <Group justify="flex-end">
            <Button variant="default" onClick={conflict.showTheirs}>
              Show theirs
            </Button>
            <Button onClick={conflict.keepMine}>Keep mine</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

function Changes({ label, changes }: { readonly label: string; readonly changes: readonly Change[] }) {
  return (
    <ScrollArea type="auto">
      <Table captionSide="top" borderColor="var(--line)" layout="fixed">
        <Table.Caption ta="start" c="inherit" fw={600} mt={0}>
          {label}
        </Table.Caption>
        <Table.Thead>
          <Table.Tr fz="xs" c="dimmed">
            <Table.Th scope="col">Setting</Table.Th>
            <Table.Th scope="col">Before</Table.Th>
            <Table.Th scope="col">Now</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ path, before, after }) => (
            <Table.Tr key={path.join('.')}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{path.join('.')}</Table.Td>
              <Table.Td>
                <Value value={before} />
              </Table.Td>
              <Table.Td>
                <Value value={after} />
              </Table.Td>
            </Table.Tr>
          ))}
          {changes.length === 0 && (
            <Table.Tr>
              <Table.Td colSpan={3} c="dimmed">
                Nothing that is shown here: a secret of a sender.
              </Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}

function Value({ value }: { readonly value: unknown }) {
  if (value === undefined) return '–'
  const text = JSON.stringify(value, hideSecrets)
  return (
    <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {text.length > 400 ? `${text.slice(0, 400)}…` : text}
    </Code>
  )
}

const masked = '••••'

/** For `JSON.stringify`: a secret of a sender that was typed is as little shown as in its field. */
function hideSecrets(this: { readonly type?: unknown }, name: string, value: unknown): unknown {
  const form = Object.entries(senderForms).find(([type]) => type === this.type)?.[1]
  const isSecret = form?.fields.some((field) => field.isSecret === true && field.name === name)
  return isSecret && value !== masked ? `${masked} (new)` : value
}
