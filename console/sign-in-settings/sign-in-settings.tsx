import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { TenantModules } from '../../packages/client/src/admin.ts'
import { Page } from '../parts/pages/page.tsx'
import { withoutAddedBlanks } from '../parts/settings/changes.ts'
import { SaveBar } from '../parts/settings/save-bar.tsx'
import { SettingsScreen } from '../parts/settings/settings-screen.tsx'
import { useSettings } from '../parts/settings/use-settings.ts'
import { CodePolicy } from './code-policy.tsx'
import { MethodSwitches } from './method-switches.tsx'
import { Protections } from './protections.tsx'

/** How users of a tenant sign in: ways, codes, protections, origins. One save stores what changed. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId/sign-in' })
  const settings = useSettings(tenantId)
  const stored = settings.query.data?.modules
  // What is on and off again has not changed.
  const form = { ...settings, change: (modules: TenantModules) => settings.change(withoutAddedBlanks(modules, stored)) }
  return (
    <Page title="Sign-in and codes" about="How users of this tenant sign in, and what protects them." width="narrow">
      <SettingsScreen form={form}>
        <MethodSwitches form={form} />
        <CodePolicy form={form} />
        <Protections form={form} />
      </SettingsScreen>
      <SaveBar form={form} shown={(path) => isShown(path, form.modules?.auth?.methods ?? [])} />
    </Page>
  )
}

/** Whether the message about a setting stands beside its field; those of a way that is off are listed. */
function isShown(path: string, methods: readonly string[]): boolean {
  const way = /^auth\.(\w+)\.(clientIds|idleDays)/.exec(path)?.[1]
  return way === undefined ? /^(otp\.|auth\.methods$|security\.)/.test(path) : methods.includes(way)
}
