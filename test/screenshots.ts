import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser, withoutBrowser } from './support/browser/browser.ts'
import { takeConsolePictures } from './support/browser/console-pictures.ts'
import { serveExample } from './support/browser/example-app.ts'
import { createCommand } from './support/runner/command-line.ts'
import { startTestService } from './support/service.ts'

/** `npm run screenshots`: takes the pictures in `docs/images`, in light and dark. */
const folder = join(import.meta.dirname, '../docs/images')
const email = 'ada@example.com'
const password = 'correct horse battery'
const profile = {
  firstName: 'Ada',
  nickname: 'ada_1',
  fullName: { given: 'Ada', family: 'Lovelace' },
  about: 'Writes programs for engines that are still to be built.',
  birthDate: '1990-12-10',
  country: 'FR',
  interests: ['music', 'travel'],
  tags: ['mathematics', 'poetry'],
  workEmail: 'ada@analytical.example',
  newsletter: true,
  accountKind: 'business',
  vatId: 'FR12345678901',
  plan: 'team',
}

createCommand('npm run screenshots').description('Takes the pictures in docs/images, in light and dark.').parse()

if (withoutBrowser)
  throw new Error(`No pictures were taken: ${withoutBrowser}. Install Debian's package "chromium-headless-shell".`)
await mkdir(folder, { recursive: true })
await takeConsolePictures(folder)
await using service = await startTestService({ start: Date.now() })
await using example = await serveExample(service)
const { tenantId } = example.tenant
await service.admin.createUser({ tenantId }, { email, password, profile })
const browser = await launchBrowser()
for (const colorScheme of ['light', 'dark'] as const) {
  const open = async (viewport: { width: number; height: number }): Promise<Page> => {
    const context = await browser.newContext({ viewport, colorScheme, locale: 'en-US', timezoneId: 'UTC' })
    const page = await context.newPage()
    await page.goto(example.url)
    await page.getByLabel('E-mail address').fill(email)
    return page
  }
  const phone = await open({ width: 390, height: 640 })
  await phone.screenshot({ path: join(folder, `example-sign-in-${colorScheme}.png`) })
  const signIn = async (page: Page): Promise<void> => {
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
  }
  await signIn(phone)
  await phone.getByRole('link', { name: 'Complete your profile' }).click()
  await phone.getByRole('button', { name: 'Previous step' }).click()
  await phone.getByLabel('VAT number').waitFor()
  // Without the focus ring of the button that was pressed before.
  await phone.getByRole('heading', { level: 1 }).click()
  await phone.screenshot({ path: join(folder, `example-steps-${colorScheme}.png`) })
  const desktop = await open({ width: 1280, height: 890 })
  await signIn(desktop)
  await desktop.screenshot({ path: join(folder, `example-profile-${colorScheme}.png`) })
}
await browser.close()
process.exit(0)
