import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core'
import { IconArrowRight, IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { isExactNumber } from '../../parts/exact-number.ts'
import type { FieldTypeName } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { ValueInput } from './value-input.tsx'

type Mapped = string | number | boolean | null

interface MappedValuesProps {
  /** Its name. */
  readonly field: string
  readonly values: Readonly<Record<string, Mapped>>
  readonly onChange: (values: Record<string, Mapped>) => void
}

/** Stored values and what each becomes; one that becomes nothing is cleared. */
export function MappedValues({ field, values, onChange }: MappedValuesProps) {
  const { draft } = useEditor()
  const type = draft.fields.find(({ name }) => name === field)?.type
  const [from, setFrom] = useState('')
  const entries = Object.entries(values)
  return (
    <Stack gap={6} mt="xs">
      {entries.map(([stored, next]) => (
        <Group key={stored} gap={6} wrap="nowrap">
          <TextInput size="xs" flex={1} value={stored} readOnly aria-label="Stored value" />
          <IconArrowRight size={14} aria-hidden className="flips" />
          <ValueInput<Mapped>
            flex={1}
            aria-label={`New value of ${stored}`}
            placeholder="cleared"
            value={next}
            text={next === null ? '' : String(next)}
            read={(typed) => readValue(typed, next, type)}
            onChange={(changed) => onChange({ ...values, [stored]: changed })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Leave ${stored} as it is`}
            onClick={() => onChange(Object.fromEntries(entries.filter(([one]) => one !== stored)))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Group gap={6}>
        <TextInput
          size="xs"
          flex={1}
          aria-label="Another stored value"
          placeholder="Another stored value"
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={from === '' || Object.hasOwn(values, from)}
          onClick={() => {
            onChange({ ...values, [from]: null })
            setFrom('')
          }}
        >
          Add
        </Button>
      </Group>
    </Stack>
  )
}

/** A value is of the type of its field, or stays a number or a boolean, while what is typed is one. */
function readValue(text: string, before: Mapped, type: FieldTypeName | undefined): Mapped {
  if (text === '') return null
  const isNumber = type === 'number' || type === 'integer' || typeof before === 'number'
  if (isNumber && isExactNumber(text)) return Number(text)
  const isBoolean = type === 'boolean' || typeof before === 'boolean'
  if (isBoolean && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
