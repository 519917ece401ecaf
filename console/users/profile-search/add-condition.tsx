import { Group, NativeSelect, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { scriptOf } from '../../parts/any-script.ts'
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx'
import { choicesOf } from '../../parts/profile-field/choices.tsx'
import { locale } from '../profile-view.ts'
import type { Conditions } from './conditions.ts'
import { comparedBy, type SearchableField } from './searchable-fields.ts'

/** The server compares the first 256 characters. What is searched is in the URL. */
const longestValue = 256

interface AddConditionProps {
  readonly fields: readonly SearchableField[]
  readonly onAdd: (field: string, conditions: Conditions) => void
  readonly onClose: () => void
}

/** Asks for a field and what its value must be. */
export function AddCondition({ fields, onAdd, onClose }: AddConditionProps) {
  const [name, setName] = useState(fields[0]!.name)
  const [typed, setTyped] = useState<Conditions>({})
  const field = fields.find((one) => one.name === name) ?? fields[0]!
  const given = Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== ''))
  function add(): void {
    onClose()
    onAdd(field.name, given)
  }
  return (
    <FormDialog
      title="Find users by a profile field"
      act="Find users"
      isReady={Object.keys(given).length > 0}
      onSubmit={add}
      onClose={onClose}
    >
      <Select
        label="Field"
        data={fields.map(({ name: value, label }) => ({ value, label }))}
        value={field.name}
        allowDeselect={false}
        onChange={(value) => {
          setName(value ?? field.name)
          setTyped({})
        }}
        data-autofocus
      />
      <Value key={field.name} field={field} typed={typed} onChange={setTyped} />
    </FormDialog>
  )
}

interface ValueProps {
  readonly field: SearchableField
  readonly typed: Conditions
  readonly onChange: (typed: Conditions) => void
}

function Value(props: ValueProps) {
  const { field, typed, onChange } = props
  const { name } = field
  switch (comparedBy(field)) {
    case 'choice':
      return (
        <Select
          label="Value"
          data={choicesOf(field, locale).map(({ value, label }) => ({ value, label }))}
          value={typed[name] ?? null}
          onChange={(value) => onChange(value === null ? {} : { [name]: value })}
          searchable={choicesOf(field, locale).length > 8}
          limit={100}
        />
      )
    case 'range': {
      const bound = (operator: 'min' | 'max') => ({
        type: field.type,
        value: typed[`${name}.${operator}`] ?? '',
        onChange: (value: string) => onChange({ ...typed, [`${name}.${operator}`]: value }),
      })
      return (
        <Group grow align="flex-start">
          <Bound label="From" {...bound('min')} />
          <Bound label="To" {...bound('max')} />
        </Group>
      )
    }
    case 'text':
      return <Text {...props} />
  }
}

function Text({ field: { name }, typed, onChange }: ValueProps) {
  const [operator, setOperator] = useState('.prefix')
  const value = typed[`${name}${operator}`] ?? ''
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label="Compare"
        data={[
          { value: '.prefix', label: 'Begins with' },
          { value: '', label: 'Is exactly' },
        ]}
        value={operator}
        onChange={({ currentTarget }) => {
          setOperator(currentTarget.value)
          onChange({ [`${name}${currentTarget.value}`]: value })
        }}
      />
      <TextInput
        label="Value"
        value={value}
        maxLength={longestValue}
        {...scriptOf(value)}
        onChange={({ currentTarget }) => onChange({ [`${name}${operator}`]: currentTarget.value })}
        autoComplete="off"
        flex={1}
      />
    </Group>
  )
}

interface BoundProps {
  readonly label: string
  readonly type: SearchableField['type']
  readonly value: string
  readonly onChange: (value: string) => void
}

function Bound({ label, type, value, onChange }: BoundProps) {
  return (
    <TextInput
      label={label}
      {...(type === 'date' ? { type: 'date', max: '9999-12-31' } : { inputMode: 'decimal', maxLength: longestValue })}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
