import { Button, Group, Pill, Text } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { useCan } from '../../session/session.tsx'
import { currentSchemaQuery } from '../users-queries.ts'
import { AddCondition } from './add-condition.tsx'
import {
  type Conditions,
  comparisonsOf,
  inWords,
  maxConditions,
  withoutComparison,
  withoutField,
} from './conditions.ts'
import { nameOfValue, type SearchableField, searchableFields } from './searchable-fields.ts'

/** The searchable fields of a tenant; none for an operator who may not read them. */
export function useSearchableFields(tenantId: string): readonly SearchableField[] {
  const can = useCan()
  const isAllowed = can('schema:read', tenantId) && can('profiles:read', tenantId)
  const { data } = useQuery({ ...currentSchemaQuery(tenantId), enabled: isAllowed, select: searchableFields })
  return isAllowed && data !== undefined ? data : []
}

interface ProfileFiltersProps {
  readonly fields: readonly SearchableField[]
  readonly conditions: Conditions
  /** The button that adds one. It has the focus once one was removed. */
  readonly button: RefObject<HTMLButtonElement | null>
  readonly onChange: (conditions: Conditions) => void
}

/** Opens the dialog that adds a condition; left out when no field is searchable. */
export function AddProfileFilter({ fields, conditions, button, onChange }: ProfileFiltersProps) {
  const [isAdding, setAdding] = useState(false)
  // A field that has a condition gets another one.
  const comparisons = comparisonsOf(conditions)
  const isFull = comparisons.length >= maxConditions
  const offered = isFull ? fields.filter(({ name }) => comparisons.some(({ field }) => field === name)) : fields
  if (offered.length === 0) return null
  return (
    <>
      <Button ref={button} variant="default" leftSection={<IconFilter size={16} />} onClick={() => setAdding(true)}>
        Profile field
      </Button>
      {isAdding && (
        <AddCondition
          fields={offered}
          onAdd={(field, added) => onChange({ ...withoutField(conditions, field), ...added })}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

/** The conditions of a search, each with a button that removes it. */
export function ProfileFilters({ fields, conditions, button, onChange }: ProfileFiltersProps) {
  const comparisons = comparisonsOf(conditions)
  if (comparisons.length === 0) return null
  return (
    <Group gap="xs" role="group" aria-label="Profile fields">
      {comparisons.map((comparison) => {
        const field = fields.find(({ name }) => name === comparison.field)
        const label = field?.label ?? comparison.field
        const text = inWords(comparison, label, (value) => (field ? nameOfValue(field, value) : value))
        return (
          <Pill
            key={`${comparison.field}.${comparison.operator}`}
            size="md"
            withRemoveButton
            removeButtonProps={{ 'aria-label': `Remove: ${text}`, 'aria-hidden': false, tabIndex: 0 }}
            onRemove={() => {
              button.current?.focus()
              onChange(withoutComparison(conditions, comparison))
            }}
          >
            <bdi>{text}</bdi>
          </Pill>
        )
      })}
      {comparisons.length >= maxConditions && (
        <Text size="sm" c="dimmed">
          No more than {maxConditions} can be combined.
        </Text>
      )}
    </Group>
  )
}
