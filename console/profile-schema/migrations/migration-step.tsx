import { Autocomplete, Group, NativeSelect, TagsInput, TextInput } from '@mantine/core'
import { inexactNumber } from '../../parts/json-editor/json-positions.ts'
import type { ProfileMigration } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { MappedValues } from './mapped-values.tsx'
import { ValueInput } from './value-input.tsx'

interface MigrationStepProps {
  readonly step: ProfileMigration
  readonly onChange: (step: ProfileMigration) => void
}

type Cast = Extract<ProfileMigration, { cast: unknown }>['cast']['to']

/** What a step does, with which fields. A step reads fields of the current version, and writes those of the draft. */
export function MigrationStep({ step, onChange }: MigrationStepProps) {
  if ('rename' in step) return <FromTo {...step.rename} onChange={(rename) => onChange({ rename })} />
  if ('copy' in step) return <FromTo {...step.copy} onChange={(copy) => onChange({ copy })} />
  if ('drop' in step) {
    return <FieldInput label="Field" value={step.drop} isStored onChange={(drop) => onChange({ drop })} />
  }
  if ('default' in step) {
    const { field, value } = step.default
    return (
      <Group gap="xs" grow align="flex-start">
        <FieldInput label="Field" value={field} onChange={(next) => onChange({ default: { field: next, value } })} />
        <JsonInput
          label="Value"
          value={value}
          onChange={(next) => onChange({ default: { field, value: next as typeof value } })}
        />
      </Group>
    )
  }
  if ('cast' in step) {
    const { field, to } = step.cast
    return (
      <Group gap="xs" grow align="flex-start">
        <FieldInput label="Field" value={field} onChange={(next) => onChange({ cast: { field: next, to } })} />
        <NativeSelect
          size="xs"
          label="Becomes"
          value={to}
          data={['text', 'number', 'integer', 'boolean', 'date', 'list']}
          onChange={({ currentTarget }) => onChange({ cast: { field, to: currentTarget.value as Cast } })}
        />
      </Group>
    )
  }
  if ('map' in step) {
    const { field, values } = step.map
    return (
      <>
        <FieldInput label="Field" value={field} onChange={(next) => onChange({ map: { field: next, values } })} />
        <MappedValues {...step.map} onChange={(next) => onChange({ map: { field, values: next } })} />
      </>
    )
  }
  const isSplit = 'split' in step
  const { separator } = isSplit ? step.split : step.join
  const change = (part: object) =>
    onChange(
      (isSplit ? { split: { ...step.split, ...part } } : { join: { ...step.join, ...part } }) as ProfileMigration,
    )
  return (
    <Group gap="xs" grow align="flex-start">
      {isSplit ? (
        <FieldInput label="From" value={step.split.from} isStored onChange={(from) => change({ from })} />
      ) : (
        <FieldsInput label="From" value={step.join.from} onChange={(from) => change({ from })} />
      )}
      <TextInput
        size="xs"
        label="Separator"
        value={separator}
        onChange={({ currentTarget }) => change({ separator: currentTarget.value })}
      />
      {isSplit ? (
        <FieldsInput label="To" value={step.split.to} onChange={(to) => change({ to })} />
      ) : (
        <FieldInput label="To" value={step.join.to} onChange={(to) => change({ to })} />
      )}
    </Group>
  )
}

interface FromToProps {
  readonly from: string
  readonly to: string
  readonly onChange: (step: { from: string; to: string }) => void
}

function FromTo({ from, to, onChange }: FromToProps) {
  return (
    <Group gap="xs" grow align="flex-start">
      <FieldInput label="From" value={from} isStored onChange={(next) => onChange({ from: next, to })} />
      <FieldInput label="To" value={to} onChange={(next) => onChange({ from, to: next })} />
    </Group>
  )
}

interface FieldInputProps {
  readonly label: string
  readonly value: string
  /** Fields of the current version are offered too. */
  readonly isStored?: true
  readonly onChange: (name: string) => void
}

/** The name of a field; a stored one need not exist in any version that is known here. */
function FieldInput({ label, value, isStored, onChange }: FieldInputProps) {
  const { draft, base } = useEditor()
  const stored = isStored ? base.components.map(({ name }) => name) : []
  const names = [...new Set([...stored, ...draft.fields.map(({ name }) => name)])]
  return <Autocomplete size="xs" label={label} value={value} data={names} onChange={onChange} spellCheck={false} />
}

interface FieldsInputProps {
  readonly label: string
  readonly value: readonly string[]
  readonly onChange: (names: string[]) => void
}

function FieldsInput({ label, value, onChange }: FieldsInputProps) {
  const { draft, base } = useEditor()
  const names = [...new Set([...base.components, ...draft.fields].map(({ name }) => name))]
  return <TagsInput size="xs" label={label} value={[...value]} data={names} onChange={onChange} />
}

interface JsonInputProps {
  readonly label: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

/** A number, true, false or a list in JSON; everything else is a text. */
function JsonInput({ value, ...props }: JsonInputProps) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return <ValueInput {...props} value={value} text={text} read={readJson} />
}

function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // A number that would be rounded is a text.
    return inexactNumber(text) === null ? value : text
  } catch {
    return text
  }
}
