import { Group, NativeSelect, Select, TagsInput, TextInput } from '@mantine/core'
import type { FieldCondition } from '../../../contract/fields/conditions/condition.ts'
import { numberOf, PlainNumber } from '../../parts/plain-number.tsx'
import type { DraftField } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { fieldKinds, isComparable, isOrdered } from '../fields/field-kinds.ts'
import { wordingIn } from '../languages.ts'
import { type ProblemProps, useProblemProps } from '../problems/problem-context.tsx'

interface ComparisonProps {
  /** The address of its problems. */
  readonly at: string
  readonly comparison: FieldCondition
  readonly owner: string | undefined
  readonly onChange: (comparison: FieldCondition) => void
}

type Value = string | number | boolean

/** What a comparison says, as one operator: `min` and `max` together are a range. */
function operatorOf(comparison: FieldCondition): string {
  if (comparison.set !== undefined) return comparison.set ? 'set' : 'unset'
  if (comparison.min !== undefined || comparison.max !== undefined) return 'range'
  return (['isNot', 'in', 'notIn'] as const).find((one) => comparison[one] !== undefined) ?? 'is'
}

const operators = [
  { value: 'set', label: 'has a value' },
  { value: 'unset', label: 'has no value' },
  { value: 'is', label: 'is' },
  { value: 'isNot', label: 'is not' },
  { value: 'in', label: 'is one of' },
  { value: 'notIn', label: 'is none of' },
]
const range = { value: 'range', label: 'is between' }

/** One field compared with values. */
export function Comparison({ at, comparison, owner, onChange }: ComparisonProps) {
  const { draft } = useEditor()
  const problem = useProblemProps()
  const choices = draft.fields.filter((one) => one.key !== owner && isComparable(one))
  const read = draft.fields.find(({ name }) => name === comparison.field)
  const operator = operatorOf(comparison)
  const { field } = comparison
  const single = comparison.is ?? comparison.isNot
  const several = comparison.in ?? comparison.notIn
  const first = firstValueOf(read)
  function change(next: string): void {
    const known: Value = single ?? several?.[0] ?? first
    if (next === 'set' || next === 'unset') onChange({ field, set: next === 'set' })
    else if (next === 'is') onChange({ field, is: known })
    else if (next === 'isNot') onChange({ field, isNot: known })
    else if (next === 'in') onChange({ field, in: several ?? [known] })
    else if (next === 'notIn') onChange({ field, notIn: several ?? [known] })
    else onChange({ field, min: typeof first === 'boolean' ? 0 : first })
  }
  const hasValue = ['is', 'isNot', 'in', 'notIn'].includes(operator)
  const isRange = read !== undefined && isOrdered(read.type)
  return (
    <Group gap={6} align="flex-start">
      <Select
        {...problem(`${at}.field`)}
        size="xs"
        aria-label="Field"
        flex="2 1 130px"
        value={field}
        data={[
          ...choices.map(({ name, label }) => ({ value: name, label: wordingIn(label) || name })),
          ...(choices.some(({ name }) => name === field) ? [] : [{ value: field, label: `${field} (unknown)` }]),
        ]}
        searchable
        allowDeselect={false}
        onChange={(name) => name !== null && onChange({ field: name, set: true })}
      />
      <NativeSelect
        {...(hasValue ? {} : problem(`${at}.value`))}
        size="xs"
        aria-label="Comparison"
        flex="1 1 110px"
        value={operator}
        data={isRange || operator === 'range' ? [...operators, range] : operators}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      {(operator === 'is' || operator === 'isNot') && (
        <OneValue
          problem={problem(`${at}.value`)}
          read={read}
          value={single}
          onChange={(value) => onChange(operator === 'is' ? { field, is: value } : { field, isNot: value })}
        />
      )}
      {(operator === 'in' || operator === 'notIn') && (
        <TagsInput
          {...problem(`${at}.value`)}
          size="xs"
          aria-label="Values"
          flex="2 1 130px"
          value={(several ?? []).map(String)}
          data={[...new Set(read?.options?.map(({ value }) => value))]}
          // A comma is part of a value.
          splitChars={['\n']}
          onChange={(texts) => {
            const values = texts.map((text) => readValue(read, text))
            onChange(operator === 'in' ? { field, in: values } : { field, notIn: values })
          }}
        />
      )}
      {operator === 'range' && (
        <Range
          at={at}
          read={read}
          min={comparison.min}
          max={comparison.max}
          onChange={(bounds) => onChange({ field, ...bounds })}
        />
      )}
    </Group>
  )
}

const valuesOf = (read: DraftField | undefined) =>
  read === undefined ? 'text' : read.type === 'consent' ? 'boolean' : fieldKinds[read.type].values

function firstValueOf(read: DraftField | undefined): Value {
  const values = valuesOf(read)
  return values === 'boolean' ? true : values === 'number' ? 0 : (read?.options?.[0]?.value ?? '')
}

/** What was typed as a value of the field. */
function readValue(read: DraftField | undefined, text: string): Value {
  const values = valuesOf(read)
  if (values === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return values === 'number' ? (numberOf(text) ?? text) : text
}

interface OneValueProps {
  readonly problem: ProblemProps
  readonly read: DraftField | undefined
  readonly value: Value | undefined
  readonly onChange: (value: Value) => void
}

function OneValue({ problem, read, value, onChange }: OneValueProps) {
  const shared = { ...problem, size: 'xs' as const, 'aria-label': 'Value', flex: '2 1 130px' }
  const values = valuesOf(read)
  const change = ({ currentTarget }: { currentTarget: { value: string } }) =>
    onChange(readValue(read, currentTarget.value))
  if (values === 'boolean') {
    const data = [
      { value: 'true', label: 'yes' },
      { value: 'false', label: 'no' },
    ]
    return <NativeSelect {...shared} data={data} value={String(value)} onChange={change} />
  }
  const text = String(value ?? '')
  if (read?.options !== undefined) {
    const known = read.options.map((option) => option.value)
    return <NativeSelect {...shared} data={[...new Set([...known, text])]} value={text} onChange={change} />
  }
  if (values === 'number') {
    return (
      <PlainNumber
        {...shared}
        value={typeof value === 'boolean' ? String(value) : value}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  }
  return <TextInput {...shared} value={text} onChange={change} spellCheck={false} />
}

interface Bounds {
  readonly min?: number | string
  readonly max?: number | string
}

interface RangeProps extends Bounds {
  readonly at: string
  readonly read: DraftField | undefined
  readonly onChange: (bounds: Bounds) => void
}

function Range({ at, read, min, max, onChange }: RangeProps) {
  const problem = useProblemProps()
  const bound = (name: 'min' | 'max', label: string, value: number | string | undefined) => {
    const shared = { ...problem(`${at}.${name}`), size: 'xs' as const, flex: '1 1 70px' }
    const texts = { 'aria-label': label, placeholder: label }
    function change(typed: number | string | undefined): void {
      const { [name]: _old, ...other } = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
      const next = typed === undefined || typed === '' ? other : { ...other, [name]: typed }
      // A comparison without an operator is none.
      onChange(Object.keys(next).length === 0 ? { [name]: '' } : next)
    }
    if (valuesOf(read) === 'number') {
      return <PlainNumber {...shared} {...texts} value={value} onChange={change} />
    }
    return (
      <TextInput
        {...shared}
        {...texts}
        value={value ?? ''}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    )
  }
  return (
    <>
      {bound('min', 'At least', min)}
      {bound('max', 'At most', max)}
    </>
  )
}
