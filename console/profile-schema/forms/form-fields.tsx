import { ActionIcon, Box, Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useId } from 'react'
import { moved } from '../../parts/ordering/moved.ts'
import { ReorderButtons } from '../../parts/ordering/reorder-buttons.tsx'
import { isNote } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { wordingIn } from '../languages.ts'
import { useProblemProps } from '../problems/problem-context.tsx'
import { ProblemText } from '../problems/problem-text.tsx'

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
  const problem = useProblemProps()
  const labels = new Map(draft.fields.map(({ name, label }) => [name, wordingIn(label) || name]))
  const change = (next: readonly string[], needed: readonly string[]) => {
    const kept = needed.filter((name) => next.includes(name))
    onChange(next, kept.length > 0 ? kept : undefined)
  }
  const move = (from: number, to: number) => change(moved(fields, from, to), required)
  const id = useId()
  const idOf = (member: string) => `${id}-${member}`
  /** A field that the form cannot show can be removed, and one that cannot be required has a box. */
  const propsOf = (member: string) => {
    const { error, ...props } = problem(member)
    return { ...props, 'aria-describedby': error === undefined ? undefined : idOf(member) }
  }
  /** Buttons are not invalid. */
  const removalProps = (member: string) => {
    const { 'aria-invalid': _invalid, ...props } = propsOf(member)
    return props
  }
  const free = draft.fields.filter(
    (field) => !isNote(field) && !fields.includes(field.name) && !taken.includes(field.name),
  )
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        Fields
      </Text>
      <ProblemText at="fields" />
      {fields.map((name, index) => (
        <Box key={name} style={{ borderBottom: '1px solid var(--line)' }} pb={4}>
          <Group gap={4} wrap="nowrap">
            <Text size="sm" flex={1} dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {labels.get(name) ?? name}
            </Text>
            <Checkbox
              {...propsOf(`required.${index}`)}
              size="xs"
              label="required"
              aria-label={`${labels.get(name) ?? name} is required`}
              checked={required.includes(name)}
              onChange={({ currentTarget }) =>
                change(fields, currentTarget.checked ? [...required, name] : required.filter((one) => one !== name))
              }
            />
            <ReorderButtons what={name} index={index} count={fields.length} onMove={move} />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove ${name} from the form`}
              onClick={() => change(fields.toSpliced(index, 1), required)}
              {...removalProps(`fields.${index}`)}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
          <ProblemText at={`fields.${index}`} id={idOf(`fields.${index}`)} isNote />
          <ProblemText at={`required.${index}`} id={idOf(`required.${index}`)} isNote />
        </Box>
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
