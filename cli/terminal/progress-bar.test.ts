import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { signingKeyContext } from '../../server/accounts/sessions/load-signing-keys.ts'
import { createKeyring } from '../../server/secrets/keyring.ts'
import { keyOf } from '../../test/support/master-key.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { addUsers, inFile, newDeployment, newFile } from '../database/copy.testkit.ts'
import { type Progress, startProgress } from './progress-bar.ts'
import { type CommandResult, type } from './terminal.testkit.ts'
import type { Terminal } from './terminal.ts'

const masterKeys = keyOf('k1', 1)

let service: TestService
let folder: string
before(async () => {
  service = await startTestService()
  folder = await mkdtemp(join(tmpdir(), 'tenantry-progress-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

/** A screen of 120 columns that keeps what is drawn. */
function newScreen() {
  const drawn: string[] = []
  const stream = Object.assign(new PassThrough(), {
    ...{ isTTY: true, columns: 120, rows: 24, cursorTo: () => true, clearLine: () => true, moveCursor: () => true },
    ...{ getWindowSize: () => [120, 24] },
  })
  stream.on('data', (data) => drawn.push(String(data)))
  return { stream, text: () => drawn.join('') }
}

/** Runs a command with its progress on a screen, and again without; both must answer the same. */
async function onScreen(words: (run: number) => readonly string[]): Promise<{ drawn: string; result: CommandResult }> {
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey, TENANTRY_MASTER_KEYS: masterKeys }
  const screen = newScreen()
  const result = await type(words(1), { env, folder, screen: screen.stream })
  assert.equal(result.exitCode, 0, result.errors)
  const quiet = await type(words(2), { env, folder })
  const plain = ({ output, errors }: CommandResult) => (output + errors).replaceAll(/run\d/g, '')
  assert.equal(plain(quiet), plain(result))
  assert.doesNotMatch(quiet.errors, /ETA|\/s|\r/)
  return { drawn: screen.text(), result }
}

/** What a bar of 1,000 rows leaves on the screen. */
async function drawnBy(work: (bar: Progress) => void): Promise<string> {
  const screen = newScreen()
  const terminal = { screen: screen.stream } as unknown as Terminal
  const bar = await startProgress('moving', { unit: 'rows', total: 1000 }, terminal)
  work(bar)
  bar.stop()
  return screen.text()
}

test('shows what is done with rate and remaining time', async () => {
  const drawn = await drawnBy((bar) => bar.update(500))
  assert.match(drawn, /moving \[=+-+\] 50% \| 500 of 1,000 rows \| [\d,]+ rows\/s \| ETA \d+s/)
  assert.ok(drawn.endsWith('\n'))
})

test('corrects an estimate that is too small', async () => {
  assert.match(await drawnBy((bar) => bar.update(1500)), /100% \| 1,500 of 1,500 rows/)
})

test('prints a line in the place of the bar and draws the bar below', async () => {
  const drawn = await drawnBy((bar) => bar.note('line 7: wrong'))
  assert.ok(drawn.includes('\r\u001b[Kline 7: wrong\n\u001b7'), JSON.stringify(drawn))
  assert.ok(drawn.lastIndexOf('moving [') > drawn.indexOf('wrong'))
})

test('an import and an export show their progress on a terminal, and print the same without one', async () => {
  const rows = Array.from({ length: 300 }, (_, n) => `${JSON.stringify({ email: `${n}@example.com` })}\n`)
  await writeFile(join(folder, 'users.ndjson'), rows.join(''))
  const tenants = [await service.addTenant(), await service.addTenant()]
  const of = (run: number) => ['--tenant', tenants[run - 1]!.tenantId]
  const imported = await onScreen((run) => ['user', 'import', 'users.ndjson', ...of(run)])
  assert.match(imported.drawn, /importing \[=+\] 100% \| [\d.]+K of [\d.]+K bytes \| [\d.]+[KM] bytes\/s \| ETA 0s/)
  const exported = await onScreen((run) => ['user', 'export', '--output', `run${run}`, ...of(run)])
  assert.match(exported.drawn, /exporting 300 users \| [\d,]+ users\/s/)
})

test('a bar never turns off the wrapping of lines, which Ctrl-C would leave off', async () => {
  const drawn = await drawnBy((bar) => bar.update(500))
  assert.match(drawn, /50%/)
  assert.ok(!drawn.includes('\u001b[?7l'))
})

test('a copy, its check and a backup show their progress on a terminal, and print the same without one', async () => {
  const path = await newDeployment()
  addUsers(path, 'a', 5000)
  const targets = [newFile(), newFile()]
  const ends = (run: number) => ['--from', `sqlite:${path}`, '--to', `sqlite:${targets[run - 1]}`]
  const bar = /users \[=+\] 100% \| 5,000 of 5,000 rows \| [\d,]+ rows\/s \| ETA 0s/
  const copied = await onScreen((run) => ['copy', ...ends(run)])
  // Each table is copied, and then compared.
  assert.equal(copied.drawn.match(new RegExp(`${bar.source}.*\\n`, 'g'))?.length, 2)
  assert.match((await onScreen((run) => ['copy', ...ends(run), '--check'])).drawn, bar)
  // First the target is read: whether it has changed since.
  const again = await onScreen((run) => ['copy', ...ends(run)])
  assert.equal(again.drawn.match(new RegExp(`${bar.source}.*\\n`, 'g'))?.length, 3)
  const saved = await onScreen((run) => ['backup', `run${run}.db`, '--database', `sqlite:${path}`])
  assert.match(saved.drawn, /copying \[=+.* of [\d.]+[KM] bytes \| [\d.]+[KM] bytes\/s \| ETA/)
})

test('a rotation of master keys shows its progress on a terminal', async () => {
  const path = await newDeployment()
  const sealed = createKeyring(masterKeys).seal('{}', signingKeyContext('kid'))
  inFile(
    path,
    `INSERT INTO signing_keys (kid, ordinal, public_jwk, sealed_private_jwk, created_at) VALUES ('kid', 1, '{}', '${sealed}', 1)`,
  )
  const { drawn } = await onScreen(() => ['master-key', 'rotate', '--database', `sqlite:${path}`])
  for (const what of ['decrypting', 're-encrypting'])
    assert.match(drawn, new RegExp(`${what} 1 rows \\| [\\d,]+ rows/s`))
})

test('loads no library of a single command at startup', async () => {
  const loaded = join(folder, 'loaded')
  const preloaded = pathToFileURL(join(import.meta.dirname, '../../test/support/record-modules.ts')).href
  // From the sources: the bundle has other files.
  const script = `const { runTenantry } = await import('${import.meta.resolve('../run.ts')}')
    const { processTerminal } = await import('${import.meta.resolve('./process-terminal.ts')}')
    process.exitCode = await runTenantry(['user', 'import', '--help'], processTerminal())`
  const args = ['--import', preloaded, '--input-type=module', '--eval', script]
  const env = { PATH: process.env['PATH'], LOADED_MODULES: loaded }
  const [code] = await once(spawn(process.execPath, args, { env, stdio: 'ignore' }), 'exit')
  assert.equal(code, 0)
  const modules = await readFile(loaded, 'utf8')
  assert.match(modules, /node_modules\/commander\//)
  assert.doesNotMatch(modules, /node_modules\/cli-progress\/|server\/maintenance\//)
})
