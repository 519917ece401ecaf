import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedDemoTenant } from '../../../demo/seed.ts'
import { type KeptSecrets, keepSecrets } from '../../../server/settings/kept-secrets.ts'
import { listenOnLoopback } from '../loopback.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../service.ts'
import { runPageInOneShell } from './page-shell.ts'

/** A command of a page's shell that the test carries out. Gets its argument; returns a script, whose variables last. */
type ShellCommand = (argument: string) => Promise<string>

/** The service after its first start in development, and a shell whose `sleep` advances its clock. */
interface PageOnClock extends AsyncDisposable {
  readonly service: TestService
  readonly demo: NonNullable<KeptSecrets['demo']>
  /** Runs the blocks of a page in one shell. A `sleep` also delivers what is due. */
  run(page: string, commands?: Readonly<Record<string, ShellCommand>>): Promise<void>
}

/** With the default limits unless given. */
export async function startPageOnClock(options: TestServiceOptions = {}): Promise<PageOnClock> {
  await using starting = new AsyncDisposableStack()
  const service = starting.use(await startTestService({ limitsText: '', ...options }))
  const demo = await seedDemoTenant({ baseUrl: service.baseUrl, adminKey: service.adminKey })
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-page-'))
  starting.defer(() => rm(folder, { recursive: true }))
  keepSecrets(join(folder, 'data/secrets.json'), { adminKey: service.adminKey, demo })

  async function sleep(seconds: string): Promise<string> {
    service.clock.advance(Number(seconds) * 1000)
    await service.service.services.delivery.drain()
    return ''
  }

  const stack = starting.move()
  return {
    ...{ service, demo },
    async run(page, commands = {}) {
      const known: Record<string, ShellCommand> = { ...commands, sleep }
      const server = createServer(async (request, response) => {
        const argument = (await Array.fromAsync(request)).join('')
        const script = await known[request.url!.slice(1)]!(argument).catch(
          (error: Error) => `echo "${error.message}" >&2; exit 1`,
        )
        response.end(script)
      })
      const port = await listenOnLoopback(server)
      const url = `http://127.0.0.1:${port}`
      const functions = Object.keys(known).map(
        (name) => `${name}() { eval "$(command curl -sf "${url}/${name}" -d "$1")"; }\n`,
      )
      await runPageInOneShell({ server: service, folder }, page, functions.join('')).finally(() => server.close())
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
