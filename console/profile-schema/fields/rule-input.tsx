import { Checkbox, Code, Group, MultiSelect, NativeSelect, Switch, TagsInput, TextInput } from '@mantine/core'
import { PlainNumber } from '../../parts/plain-number.tsx'
import { codeChoices } from '../../parts/profile-field/codes.ts'
import { partLabels } from '../../parts/profile-field/parts-field.tsx'
import type { FieldTypeName } from '../draft.ts'
import { type ProblemProps, useProblemProps } from '../problems/problem-context.tsx'
import type { RuleInput as Input } from './field-kinds.ts'
import { ruleTexts } from './rule-texts.ts'

interface RuleInputProps {
  readonly type: FieldTypeName
  readonly rule: string
  readonly input: Input
  readonly value: unknown
  /** All rules of the field. */
  readonly rules: Readonly<Record<string, unknown>>
  /** Gets undefined for no rule. */
  readonly onChange: (value: unknown) => void
}

const momentTypes: Readonly<Record<string, string>> = { date: 'date', time: 'time', month: 'month', week: 'week' }

/** The input of one rule. What it may be, the server says. */
export function RuleInput({ type, rule, input, value, rules, onChange }: RuleInputProps) {
  const { label, help, placeholder } = ruleTexts(type, rule)
  const texts = { label, ...(help !== undefined && { description: help }), ...useProblemProps()(`rules.${rule}`) }
  const list = Array.isArray(value) ? value.map(String) : []
  const setList = (items: readonly string[]) => onChange(items.length === 0 ? undefined : items)
  switch (input) {
    case 'whole':
    case 'number':
      return (
        <PlainNumber
          {...texts}
          placeholder={placeholder}
          value={typeof value === 'number' || typeof value === 'string' ? value : undefined}
          onChange={onChange}
        />
      )
    case 'flag':
      return (
        <Switch
          {...texts}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked || undefined)}
        />
      )
    case 'items':
      return (
        <NativeSelect
          {...texts}
          value={typeof value === 'string' ? value : 'text'}
          data={['text', 'email', 'phone', 'url', 'date']}
          onChange={({ currentTarget }) => onChange(currentTarget.value === 'text' ? undefined : currentTarget.value)}
        />
      )
    case 'domains':
      return <TagsInput {...texts} value={list} onChange={setList} placeholder="example.com" splitChars={[',', ' ']} />
    case 'codes':
    case 'countries':
      return <CodesInput {...texts} kind={input === 'countries' ? 'country' : type} value={list} onChange={setList} />
    case 'parts': {
      const shown = rule === 'requiredParts' ? (rules['parts'] as readonly string[] | undefined) : undefined
      const parts = Object.entries(partLabels[type] ?? {}).filter(([part]) => shown?.includes(part) ?? true)
      const chosen = rule === 'parts' && value === undefined ? parts.map(([part]) => part) : list
      return (
        <Checkbox.Group {...texts} value={chosen} onChange={setList}>
          <Group gap="md" mt={6}>
            {parts.map(([part, name]) => (
              <Checkbox key={part} value={part} label={name} />
            ))}
          </Group>
        </Checkbox.Group>
      )
    }
    default:
      return (
        <TextInput
          {...texts}
          type={input === 'moment' ? (momentTypes[type] ?? 'text') : 'text'}
          placeholder={placeholder}
          value={typeof value === 'string' ? value : ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
          spellCheck={false}
          {...(input === 'pattern' && {
            styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } },
            description: (
              <>
                RE2 syntax. It matches anywhere in the value: anchor it, as in <Code fz="xs">^[A-Z]+$</Code>.
              </>
            ),
          })}
        />
      )
  }
}

interface CodesInputProps extends ProblemProps {
  readonly label: string
  readonly description?: string
  readonly kind: FieldTypeName
  readonly value: string[]
  readonly onChange: (codes: string[]) => void
}

/** Codes of languages are typed, as they can have regions; others are chosen, also those that this page does not know. */
function CodesInput({ kind, ...props }: CodesInputProps) {
  const known = codeChoices(kind, 'en')
  if (kind === 'language') {
    return <TagsInput {...props} data={known.map((one) => one.value)} placeholder="pt-BR" />
  }
  const others = props.value.filter((code) => known.every((choice) => choice.value !== code))
  const data = [...known.map((one) => ({ ...one, label: `${one.label} (${one.value})` })), ...others]
  return <MultiSelect {...props} data={data} searchable clearable limit={50} />
}
