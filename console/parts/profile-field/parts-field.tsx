import { Box, Fieldset, Select, Text, TextInput } from '@mantine/core'
import { scriptOf } from '../any-script.ts'
import { codeChoices, nameCodes } from './codes.ts'
import type { ControlProps } from './control-props.ts'
import { MarkedLabel } from './marked-label.tsx'
import { useReason } from './use-reason.tsx'

/** The parts of a type's values, with their labels. */
export const partLabels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  name: {
    ...{ prefix: 'Prefix', given: 'Given name', middle: 'Middle name', family: 'Family name', suffix: 'Suffix' },
    nativeScript: 'Name in its own script',
  },
  address: {
    ...{ line1: 'Address line 1', line2: 'Address line 2', line3: 'Address line 3', postalCode: 'Postal code' },
    ...{ city: 'City', region: 'Region', country: 'Country' },
  },
}

export const isPartsType = (type: string): boolean => Object.hasOwn(partLabels, type)

/** A name or an address: one input for each part that the schema shows. */
export function PartsField({ field, input, locale, onChange }: ControlProps) {
  const labels = partLabels[field.type] ?? {}
  const shown = field.rules['parts'] as readonly string[] | undefined
  const required = (field.rules['requiredParts'] as readonly string[] | undefined) ?? []
  const values = (field.value ?? {}) as Readonly<Record<string, string>>
  function change(part: string, text: string): void {
    const filled = Object.entries({ ...values, [part]: text }).filter(([, value]) => value !== '')
    onChange(filled.length === 0 ? null : Object.fromEntries(filled))
  }
  const countries = field.rules['countries'] as readonly string[] | undefined
  const parts = Object.keys(labels).filter((part) => shown?.includes(part) ?? true)
  const { reason, described } = useReason(input.error)
  return (
    <Fieldset
      legend={<MarkedLabel {...input} />}
      disabled={input.disabled}
      {...described}
      radius="md"
      p="sm"
      mx={0}
      bg="transparent"
      styles={{ legend: { fontWeight: 500 } }}
    >
      {input.description !== undefined && (
        <Text size="xs" c="dimmed" mb="xs">
          {input.description}
        </Text>
      )}
      {/* Above its inputs, which may be more than a phone shows at once. */}
      {reason !== null && <Box mb="xs">{reason}</Box>}
      <div style={{ display: 'grid', gap: 10, gridTemplateColumns: 'repeat(auto-fit, minmax(150px, 1fr))' }}>
        {parts.map((part) => {
          const own = { label: labels[part]!, required: required.includes(part), disabled: input.disabled }
          return part === 'country' ? (
            <Select
              key={part}
              {...own}
              data={countries ? nameCodes('country', countries, locale) : codeChoices('country', locale)}
              value={values[part] ?? null}
              onChange={(value) => change(part, value ?? '')}
              searchable
              limit={100}
              comboboxProps={{ withinPortal: false }}
              clearable
            />
          ) : (
            <TextInput
              key={part}
              {...own}
              {...scriptOf(values[part])}
              value={values[part] ?? ''}
              onChange={({ currentTarget }) => change(part, currentTarget.value)}
            />
          )
        })}
      </div>
    </Fieldset>
  )
}
