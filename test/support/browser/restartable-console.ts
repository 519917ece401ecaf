import type { BrowserContext, Page } from 'playwright-core'
import { generateMasterKeys } from '../../../server/secrets/master-keys.ts'
import { openTestDatabase } from '../databases/open-database.ts'
import { type MovableAddress, startMovableAddress } from '../movable-address.ts'
import { startTestService, type TestService } from '../service.ts'
import { launchBrowser } from './browser.ts'
import { buildConsole } from './built-console.ts'
import type { EndOfTest } from './console-page.ts'

/** A browser at an address behind which a service can end, and the next one begin with its data. */
interface RestartableConsole {
  readonly front: MovableAddress
  readonly context: BrowserContext
  readonly page: Page
  /** Starts a service on the database; the one before must be closed. */
  start(): Promise<TestService>
}

export async function openRestartableConsole(t: EndOfTest): Promise<RestartableConsole> {
  buildConsole()
  const database = openTestDatabase()
  t.after(async () => database.release())
  const masterKeys = generateMasterKeys(Date.now())
  const front = await startMovableAddress()
  t.after(async () => front[Symbol.asyncDispose]())
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const context = await browser.newContext()
  const page = await context.newPage()
  const start = () => startTestService({ environment: 'staging', start: Date.now(), database, masterKeys })
  return { front, context, page, start }
}
