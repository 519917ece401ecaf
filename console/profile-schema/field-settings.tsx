import { Tabs } from '@mantine/core'
import { useState } from 'react'
import type { DraftField } from './draft.ts'
import { problemsAt, useEditor } from './editor-context.ts'
import { FieldAccess } from './field-access.tsx'
import { FieldBasics } from './field-basics.tsx'
import { FieldConditions } from './field-conditions.tsx'
import { takesOptions } from './field-kinds.ts'
import { FieldOptions } from './field-options.tsx'
import { FieldRules } from './field-rules.tsx'
import { ProblemList } from './problem-list.tsx'

export interface SettingsProps {
  readonly field: DraftField
  readonly change: (patch: Partial<DraftField>) => void
}

/** Everything that the schema says about a field. */
export function FieldSettings({ field }: { readonly field: DraftField }) {
  const { draft, edit, problems } = useEditor()
  const [tab, setTab] = useState<string | null>('basics')
  const change = (patch: Partial<DraftField>) => edit({ do: 'changeField', key: field.key, patch })
  const index = draft.fields.findIndex(({ key }) => key === field.key)
  const own = [...problemsAt(problems, `components.${field.name}`), ...problemsAt(problems, `components.${index}`)]
  const hasOptions = takesOptions(field.type)
  const shown = tab === 'options' && !hasOptions ? 'basics' : tab
  return (
    <>
      <ProblemList problems={own} />
      <Tabs value={shown} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab px={8} fz="sm" value="basics">
            Field
          </Tabs.Tab>
          {hasOptions && (
            <Tabs.Tab px={8} fz="sm" value="options">
              Options
            </Tabs.Tab>
          )}
          <Tabs.Tab px={8} fz="sm" value="rules">
            Rules
          </Tabs.Tab>
          <Tabs.Tab px={8} fz="sm" value="access">
            Access
          </Tabs.Tab>
          <Tabs.Tab px={8} fz="sm" value="conditions">
            Conditions
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="basics">
          <FieldBasics field={field} change={change} />
        </Tabs.Panel>
        <Tabs.Panel value="options">
          <FieldOptions field={field} change={change} />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <FieldRules field={field} change={change} />
        </Tabs.Panel>
        <Tabs.Panel value="access">
          <FieldAccess field={field} change={change} />
        </Tabs.Panel>
        <Tabs.Panel value="conditions">
          <FieldConditions field={field} change={change} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
