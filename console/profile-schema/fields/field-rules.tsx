import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { LocalizedInput } from '../localized-input.tsx'
import { ProblemText } from '../problems/problem-text.tsx'
import { withOrWithout } from '../references.ts'
import { fieldKinds, rulesOf } from './field-kinds.ts'
import { RuleInput } from './rule-input.tsx'
import type { SettingsProps } from './settings-props.ts'

/** The rules that the type has, and the tenant's own sentences for violated ones. */
export function FieldRules({ field, change }: SettingsProps) {
  const known = Object.entries(rulesOf(field.type))
  function setRule(rule: string, value: unknown): void {
    const rules = withOrWithout(field.rules ?? {}, rule, value)
    change({ rules: Object.keys(rules).length > 0 ? rules : undefined })
  }
  return (
    <Stack gap="sm">
      <ProblemText at="rules" />
      {known.length === 0 && (
        <Text size="sm" c="dimmed">
          Fields of type “{fieldKinds[field.type].label}” have no rules: the options say what is valid.
        </Text>
      )}
      {known.map(([rule, input]) => (
        <RuleInput
          key={rule}
          type={field.type}
          rule={rule}
          input={input}
          value={field.rules?.[rule]}
          rules={field.rules ?? {}}
          onChange={(value) => setRule(rule, value)}
        />
      ))}
      <Messages field={field} change={change} />
    </Stack>
  )
}

/** Rules of `error.details` that are not rules of a type. */
const otherRules = ['required', 'format', 'unique', 'lockedWhen', 'writeOnce', 'options']

function Messages({ field, change }: SettingsProps) {
  const messages = field.messages ?? {}
  const all = [...new Set([...Object.keys(rulesOf(field.type)), ...otherRules])]
  const [added, setAdded] = useState<readonly string[]>([])
  const shown = [...new Set([...Object.keys(messages), ...added])]
  const free = all.filter((rule) => !shown.includes(rule))
  const [next, setNext] = useState('')
  const chosen = free.includes(next) ? next : (free[0] ?? '')
  return (
    <Stack gap="xs" pt="xs" style={{ borderTop: '1px solid var(--line)' }}>
      <Text size="sm" fw={600}>
        Your own messages
      </Text>
      <Text size="xs" c="dimmed">
        Apps show them in place of their own when the rule is violated.
      </Text>
      <ProblemText at="messages" />
      {shown.map((rule) => (
        <LocalizedInput
          key={rule}
          label={`Message of ${rule}`}
          at={`messages.${rule}`}
          text={messages[rule]}
          onChange={(text) => {
            const all = withOrWithout(messages, rule, text)
            change({ messages: Object.keys(all).length > 0 ? all : undefined })
          }}
        />
      ))}
      {free.length > 0 && (
        <Group gap={6} align="flex-end">
          <NativeSelect
            size="xs"
            label="Rule"
            data={free}
            value={chosen}
            onChange={({ currentTarget }) => setNext(currentTarget.value)}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => setAdded([...added, chosen])}
          >
            Add a message
          </Button>
        </Group>
      )}
    </Stack>
  )
}
