import { Button, Group, List, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { DraftField } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { wordingIn } from '../languages.ts'
import { usesOf } from '../references.ts'
import { publishedField } from './edit-field.ts'

interface RemoveFieldProps {
  readonly field: DraftField
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks what becomes of the values that users have, and names everything that the removal changes. */
export function RemoveField({ field, isOpen, onClose }: RemoveFieldProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={
        <Text fw={650}>
          Remove “<bdi>{wordingIn(field.label) || field.name}</bdi>”?
        </Text>
      }
    >
      {isOpen && <Question field={field} onClose={onClose} />}
    </Modal>
  )
}

function Question({ field, onClose }: Omit<RemoveFieldProps, 'isOpen'>) {
  const { draft, base, edit } = useEditor()
  const [values, setValues] = useState('archive')
  const uses = usesOf(draft, field.name)
  const isPublished = publishedField(draft, field.name, base) !== undefined
  return (
    <Stack>
      {isPublished ? (
        <Radio.Group label="Values that users have" value={values} onChange={setValues}>
          <Stack gap="sm" mt="xs">
            <Radio
              value="archive"
              label="Archive them"
              description="They come back if a version has the field again. By default they are erased after 30 days."
            />
            <Radio
              value="drop"
              label="Delete them"
              description="A migration step deletes them when the version is published."
            />
          </Stack>
        </Radio.Group>
      ) : (
        <Text size="sm">The field is not published yet, so no user has a value.</Text>
      )}
      {uses.length > 0 && (
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            It is also removed from:
          </Text>
          <List size="sm" spacing={2}>
            {uses.map((use) => (
              <List.Item key={use}>{use}</List.Item>
            ))}
          </List>
        </Stack>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          color="red.8"
          onClick={() => {
            onClose()
            edit({ do: 'removeField', key: field.key, drop: values === 'drop' })
          }}
        >
          Remove field
        </Button>
      </Group>
    </Stack>
  )
}
