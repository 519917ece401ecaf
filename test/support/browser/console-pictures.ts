import { join } from 'node:path'
import { startConsole } from './console-page.ts'
import { addShownTenant } from './shown-tenant.ts'

const days = 30

/** Takes the pictures of the console, in light and dark. @param folder where they are stored, as `console-x-light.png` */
export async function takeConsolePictures(folder: string): Promise<void> {
  const ends: (() => Promise<void>)[] = []
  const untilEnd = { after: (end: () => Promise<void>) => void ends.push(end) }
  await using fixture = await startConsole({ start: Date.now() - days * 86_400_000, sealsEvents: true })
  const { tenantId } = await addShownTenant(fixture.service, { days })
  // What each shows once it is complete.
  const pictures = { users: 'donald.knuth', 'profile-schema': 'What users see' }
  for (const [name, shown] of Object.entries(pictures))
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await fixture.open(untilEnd, `/tenants/${tenantId}/${name}`, { colorScheme })
      await page.getByText(shown).first().waitFor()
      await page.waitForLoadState('networkidle')
      await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
      await page.screenshot({ path: join(folder, `console-${name}-${colorScheme}.png`) })
    }
  for (const end of ends) await end()
}
