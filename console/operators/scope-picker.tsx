import { Checkbox, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import type { GrantedScope } from '../../contract/scopes.ts'
import {
  areas,
  areaWords,
  type Level,
  levelOf,
  mayGrant,
  singleScopes,
  singleScopeWords,
  withLevel,
  withSingle,
} from './grants.ts'

interface ScopePickerProps {
  readonly value: readonly GrantedScope[]
  readonly onChange: (scopes: GrantedScope[]) => void
  /** What the one who grants has. */
  readonly own: readonly GrantedScope[]
}

/** Chooses what of each area is granted, and the scopes that no area includes. */
export function ScopePicker({ value, onChange, own }: ScopePickerProps) {
  return (
    <Stack gap="xs">
      {areas.map((area) => (
        <Group key={area} justify="space-between" gap="xs">
          <Text size="sm">{areaWords[area]}</Text>
          <SegmentedControl
            aria-label={areaWords[area]}
            size="xs"
            value={levelOf(value, area)}
            onChange={(level) => onChange(withLevel(value, area, level as Level))}
            data={[
              { value: 'none', label: 'None' },
              { value: 'read', label: 'Read', disabled: !mayGrant(own, [`${area}:read`]) },
              { value: 'write', label: 'Write', disabled: !mayGrant(own, [`${area}:write`]) },
            ]}
          />
        </Group>
      ))}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
        {singleScopes.map((scope) => (
          <Checkbox
            key={scope}
            label={singleScopeWords[scope]}
            checked={value.includes(scope) || value.includes('*')}
            disabled={!mayGrant(own, [scope])}
            onChange={({ currentTarget }) => onChange(withSingle(value, scope, currentTarget.checked))}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
}
