import { ActionIcon, Box, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { FieldCondition } from '../../../contract/fields/conditions/condition.ts'
import type { Condition } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { useProblemProps } from '../problems/problem-context.tsx'
import { ProblemText } from '../problems/problem-text.tsx'
import { Comparison } from '../versions/comparison.tsx'
import { isComparable } from './field-kinds.ts'
import classes from './field-row.module.css'

interface ConditionEditorProps {
  readonly label: string
  readonly help?: string
  /** The address of its problems: the member of the document. */
  readonly at: string
  readonly condition: Condition | undefined
  /** The key of the field that the condition belongs to, which it cannot read. */
  readonly field?: string
  readonly onChange: (condition: Condition | undefined) => void
}

const deepest = 4

/** A condition on other fields of the schema: comparisons, and combinations of them. */
export function ConditionEditor({ label, help, at, condition, field, onChange }: ConditionEditorProps) {
  const { draft } = useEditor()
  const [other] = draft.fields.filter((one) => one.key !== field && isComparable(one))
  return (
    <Box component="fieldset" style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={600}>
        {label}
      </Text>
      {help !== undefined && (
        <Text size="xs" c="dimmed" mb={6}>
          {help}
        </Text>
      )}
      {condition === undefined ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={other === undefined}
          onClick={() => other && onChange({ field: other.name, set: true })}
        >
          {other === undefined ? 'Needs another field to read' : 'Add a condition'}
        </Button>
      ) : (
        <Level
          at={at}
          condition={condition}
          depth={1}
          owner={field}
          onChange={onChange}
          onRemove={() => onChange(undefined)}
        />
      )}
      {condition === undefined && <ProblemText at={at} />}
    </Box>
  )
}

interface LevelProps {
  readonly at: string
  readonly condition: Condition
  readonly depth: number
  readonly owner: string | undefined
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

const kinds = [
  { value: 'is', label: 'One comparison' },
  { value: 'all', label: 'All of these hold' },
  { value: 'any', label: 'Any of these holds' },
  { value: 'not', label: 'This does not hold' },
]

/** The comparisons inside, to keep them when the combination changes. */
const partsIn = (condition: Condition): readonly Condition[] =>
  'all' in condition
    ? condition.all
    : 'any' in condition
      ? condition.any
      : 'not' in condition
        ? [condition.not]
        : [condition]

const firstComparison = (condition: Condition): FieldCondition | undefined =>
  'field' in condition
    ? condition
    : partsIn(condition)
        .map(firstComparison)
        .find((one) => one !== undefined)

function combined(kind: string, condition: Condition): Condition {
  const parts = [...partsIn(condition)]
  if (kind === 'all') return { all: parts }
  if (kind === 'any') return { any: parts }
  if (kind === 'not') return { not: parts.length === 1 ? parts[0]! : { all: parts } }
  return firstComparison(condition) ?? condition
}

function Level({ at, condition, depth, owner, onChange, onRemove }: LevelProps) {
  const kind = 'all' in condition ? 'all' : 'any' in condition ? 'any' : 'not' in condition ? 'not' : 'is'
  const problem = useProblemProps()
  const choice = (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <NativeSelect
        {...problem(at)}
        size="xs"
        aria-label="Kind of condition"
        value={kind}
        // A combination at the deepest level would have no place for its comparisons.
        data={depth < deepest || kind !== 'is' ? kinds : kinds.slice(0, 1)}
        onChange={({ currentTarget }) => onChange(combined(currentTarget.value, condition))}
      />
      <ActionIcon variant="subtle" color="gray" aria-label="Remove the condition" onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </Group>
  )
  if (kind === 'is') {
    return (
      <Stack gap={6}>
        {choice}
        <Comparison at={at} comparison={condition as FieldCondition} owner={owner} onChange={onChange} />
      </Stack>
    )
  }
  const parts = partsIn(condition)
  const setParts = (next: readonly Condition[]) => {
    if (next.length === 0) onRemove()
    else if (kind === 'all') onChange({ all: [...next] })
    else if (kind === 'any') onChange({ any: [...next] })
    else onChange({ not: next[0]! })
  }
  return (
    <Stack gap={6}>
      {choice}
      <div className={classes['level']}>
        {parts.map((part, index) => (
          <Level
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
            key={index}
            at={`${at}.${index}`}
            condition={part}
            depth={depth + 1}
            owner={owner}
            onChange={(next) => setParts(parts.with(index, next))}
            onRemove={() => setParts(parts.toSpliced(index, 1))}
          />
        ))}
        {kind !== 'not' && (
          <Group>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconPlus size={12} />}
              onClick={() => setParts([...parts, { ...firstComparison(condition)! }])}
            >
              Add a comparison
            </Button>
          </Group>
        )}
      </div>
    </Stack>
  )
}
