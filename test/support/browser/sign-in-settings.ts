import type { Page } from 'playwright-core'
import type { ConsoleFixture } from './console-page.ts'

type Open = Parameters<ConsoleFixture['open']>

/** The settings of how users of a new tenant sign in, on their screen and as they are stored. */
export async function openSignInSettings({ service, open }: ConsoleFixture, t: Open[0], options: Open[2] = {}) {
  const { tenantId } = await service.addTenant()
  const page = await open(t, `/tenants/${tenantId}/sign-in`, options)
  await page.getByRole('heading', { name: 'Codes', exact: true }).waitFor()
  const stored = () => service.admin.readConfiguration({ tenantId })
  const change = (modules: object) => service.admin.updateConfiguration({ tenantId }, modules as never)
  return { page, tenantId, stored, change }
}

export const saveSettings = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save' }).click()
