import { Tabs, VisuallyHidden } from '@mantine/core'
import { use, useEffect, useState } from 'react'
import { State } from '../../parts/state.tsx'
import type { DraftField } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { OwnProblems } from '../problems/own-problems.tsx'
import { ProblemContext, ProblemScope } from '../problems/problem-context.tsx'
import { FieldAccess } from './field-access.tsx'
import { FieldBasics } from './field-basics.tsx'
import { FieldConditions } from './field-conditions.tsx'
import { takesOptions } from './field-kinds.ts'
import { FieldOptions } from './field-options.tsx'
import { FieldRules } from './field-rules.tsx'

/** Everything that the schema says about a field. */
export function FieldSettings({ field }: { readonly field: DraftField }) {
  const { edit } = useEditor()
  const { placed, target } = use(ProblemContext)
  const owner = `field:${field.key}`
  const [tab, setTab] = useState<string | null>('basics')
  useEffect(() => {
    if (target?.owner === owner && target.tab !== undefined) setTab(target.tab)
  }, [target, owner])
  const change = (patch: Partial<DraftField>) => edit({ do: 'changeField', key: field.key, patch })
  const marked = (of: string) => {
    const count = placed.filter((one) => one.owner === owner && one.tab === of).length
    return count === 0 ? {} : { rightSection: <TabProblems count={count} /> }
  }
  const hasOptions = takesOptions(field.type)
  const shown = tab === 'options' && !hasOptions ? 'basics' : tab
  return (
    <ProblemScope at={owner}>
      <OwnProblems owner={owner} />
      <Tabs value={shown} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab px={8} fz="sm" value="basics" {...marked('basics')}>
            Field
          </Tabs.Tab>
          {hasOptions && (
            <Tabs.Tab px={8} fz="sm" value="options" {...marked('options')}>
              Options
            </Tabs.Tab>
          )}
          <Tabs.Tab px={8} fz="sm" value="rules" {...marked('rules')}>
            Rules
          </Tabs.Tab>
          <Tabs.Tab px={8} fz="sm" value="access" {...marked('access')}>
            Access
          </Tabs.Tab>
          <Tabs.Tab px={8} fz="sm" value="conditions" {...marked('conditions')}>
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
    </ProblemScope>
  )
}

function TabProblems({ count }: { readonly count: number }) {
  return (
    <State tone="bad">
      {count}
      <VisuallyHidden> {count === 1 ? 'problem' : 'problems'}</VisuallyHidden>
    </State>
  )
}
