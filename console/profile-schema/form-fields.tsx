import { ActionIcon, Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { isNote } from './draft.ts'
import { useEditor } from './editor-context.ts'
import { wordingIn } from './languages.ts'

interface FormFieldsProps {
  readonly fields: readonly string[]
  readonly required: readonly string[] | undefined
  /** Fields that other steps of the form have. */
  readonly taken?: readonly string[]
  /** `required` is undefined for none. */
  readonly onChange: (fields: readonly string[], required: readonly string[] | undefined) => void
}

/** The fields of a form or a step in their order, and which of them must be filled in. */
export function FormFields({ fields, required = [], taken = [], onChange }: FormFieldsProps) {
  const { draft } = useEditor()
  const labels = new Map(draft.fields.map(({ name, label }) => [name, wordingIn(label) || name]))
  const change = (next: readonly string[], needed: readonly string[]) => {
    const kept = needed.filter((name) => next.includes(name))
    onChange(next, kept.length > 0 ? kept : undefined)
  }
  const move = (from: number, to: number) => change(fields.toSpliced(from, 1).toSpliced(to, 0, fields[from]!), required)
  const free = draft.fields.filter(
    (field) => !isNote(field) && !fields.includes(field.name) && !taken.includes(field.name),
  )
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        Fields
      </Text>
      {fields.map((name, index) => (
        <Group key={name} gap={4} wrap="nowrap" style={{ borderBottom: '1px solid var(--line)' }} pb={4}>
          <Text size="sm" flex={1} dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {labels.get(name) ?? name}
          </Text>
          <Checkbox
            size="xs"
            label="required"
            aria-label={`${labels.get(name) ?? name} is required`}
            checked={required.includes(name)}
            onChange={({ currentTarget }) =>
              change(fields, currentTarget.checked ? [...required, name] : required.filter((one) => one !== name))
            }
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${name} up`}
            disabled={index === 0}
            onClick={() => move(index, index - 1)}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${name} down`}
            disabled={index === fields.length - 1}
            onClick={() => move(index, index + 1)}
          >
            <IconArrowDown size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${name} from the form`}
            onClick={() => change(fields.toSpliced(index, 1), required)}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Select
        aria-label="Add a field to the form"
        placeholder={free.length === 0 ? 'Every field is in the form' : 'Add a field'}
        disabled={free.length === 0}
        value={null}
        searchable
        data={free.map(({ name, label }) => ({ value: name, label: wordingIn(label) || name }))}
        onChange={(name) => name !== null && change([...fields, name], required)}
      />
    </Stack>
  )
}
