import { Button, Code, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { TenantModules } from '../../packages/client/src/admin.ts'
import { JsonEditor } from '../parts/json-editor/json-editor.tsx'
import { inexactNumber, readJson } from '../parts/json-editor/json-positions.ts'
import { Page } from '../parts/pages/page.tsx'
import { SaveBar } from '../parts/settings/save-bar.tsx'
import { replaceSettings } from '../parts/settings/settings-queries.ts'
import { SettingsScreen } from '../parts/settings/settings-screen.tsx'
import { type SettingsForm, useSettings } from '../parts/settings/use-settings.ts'

/** The whole configuration of a tenant as JSON. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId/configuration' })
  const form = useSettings(tenantId, replaceSettings)
  return (
    <Page
      title="Configuration"
      about={
        <>
          Every module of the tenant, also those of your own applications. A secret is shown as <Code>••••</Code> and
          changes only when you replace that.
        </>
      }
    >
      <SettingsScreen form={form}>{form.modules !== undefined && <Editor form={form} />}</SettingsScreen>
    </Page>
  )
}

const textOf = (modules: TenantModules): string => JSON.stringify(modules, null, 2)

/** The text is the draft: while it is not JSON, what is saved is not touched. */
function Editor({ form }: { readonly form: SettingsForm }) {
  const stored = textOf(form.modules!)
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: string } | null>(null)
  // Text that means what the form has stays as it was typed; what comes from elsewhere replaces it.
  const text = typed !== null && typed.of === stored ? typed.text : stored
  const mistake = obstacleOf(text)
  function change(next: string): void {
    const parsed = readJson(next)
    // A text with a mistake begins a draft, too: an answer that comes meanwhile does not replace it.
    const isWhole = 'value' in parsed && obstacleOf(next) === undefined
    const modules = isWhole ? (parsed.value as TenantModules) : form.modules!
    setTyped({ text: next, of: textOf(modules) })
    form.change(modules, !isWhole)
  }
  function discard(): void {
    setTyped(null)
    form.discard()
  }
  return (
    <Stack gap="sm">
      <JsonEditor
        label="Configuration as JSON"
        value={text}
        problems={form.problems}
        {...(form.mayChange && { onChange: change })}
        minHeight={420}
      />
      <SaveBar form={{ ...form, discard }} obstacle={mistake} />
      {!form.mayChange && (
        <Text size="sm" c="dimmed">
          You may read the configuration, and not change it.
        </Text>
      )}
      <Format text={text} isPossible={form.mayChange && mistake === undefined} onFormat={change} />
    </Stack>
  )
}

/** Why a text is not a configuration. */
function obstacleOf(text: string): string | undefined {
  const read = readJson(text)
  if ('mistake' in read) return `Line ${read.line}: ${read.mistake.message}`
  const isObject = typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value)
  if (!isObject) return 'The configuration is an object: { … }'
  const inexact = inexactNumber(text)
  return inexact === null
    ? undefined
    : `Line ${inexact.line}: ${inexact.number} cannot be kept exactly; write it in double quotes`
}

interface FormatProps {
  readonly text: string
  readonly isPossible: boolean
  readonly onFormat: (text: string) => void
}

function Format({ text, isPossible, onFormat }: FormatProps) {
  if (!isPossible) return null
  const formatted = JSON.stringify(JSON.parse(text), null, 2)
  return (
    formatted !== text && (
      <Button variant="default" size="xs" style={{ alignSelf: 'flex-start' }} onClick={() => onFormat(formatted)}>
        Format the text
      </Button>
    )
  )
}
