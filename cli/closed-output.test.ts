import assert from 'node:assert/strict'
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { startTestService, type TestService } from '../test/support/service.ts'

let service: TestService
let tenantId: string
before(async () => {
  service = await startTestService()
  tenantId = (await service.addTenant()).tenantId
  await service.admin.publishProfileSchema({ tenantId }, { components: [{ name: 'a', type: 'text' }] })
})
after(() => service.close())

function start(words: readonly string[], stdio: StdioOptions, key = service.adminKey): ChildProcess {
  const env = { PATH: process.env['PATH'], TENANTRY_URL: service.adminUrl, TENANTRY_ADMIN_KEY: key }
  const tool = join(import.meta.dirname, 'tenantry.ts')
  return spawn(process.execPath, [tool, ...words, '--tenant', tenantId], { env, stdio })
}

/** Starts a command with an output that is closed before it writes, as by `| head` after its last line. */
function startClosed(words: readonly string[], input = ''): ChildProcess {
  const child = start(words, ['pipe', 'pipe', 'ignore'])
  child.stdout!.destroy()
  child.stdin!.end(input)
  return child
}

const endOf = async (child: ChildProcess) => (await once(child, 'exit'))[0]

test('a command keeps its exit code when its output is closed', async () => {
  const check = ['schema', 'check', '-']
  assert.equal(await endOf(startClosed(check, '{"components": []}')), 0)
  assert.equal(await endOf(startClosed([...check, '--exit-code'], '{"components": []}')), 1)
})

const noFullDevice = !existsSync('/dev/full') && 'needs /dev/full'

test('a command whose output does not fit on the disk says so in one line', { skip: noFullDevice }, async () => {
  for (const words of [
    ['events', 'checkpoints'],
    ['key', 'list'],
    ['schema', 'show'],
  ]) {
    const full = openSync('/dev/full', 'w')
    const child = start(words, ['ignore', full, 'pipe'])
    closeSync(full)
    const errors = text(child.stderr!)
    assert.equal(await endOf(child), 1, words.join(' '))
    assert.match(await errors, /^Failed to write to standard output: ENOSPC: .*\n$/)
  }
})

test('a command that goes on ends with 1 when its output is closed', async (t) => {
  const child = startClosed(['events', 'tail'])
  t.after(() => child.kill('SIGKILL'))
  const ended = endOf(child)
  let isEnded = false
  void ended.then(() => {
    isEnded = true
  })
  while (!isEnded) {
    await service.admin.createTenantKey({ tenantId }, {})
    await service.service.services.events.drain()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.equal(await ended, 1)
})

test('a command that has notes ends with its result when no process reads them', async () => {
  const child = start(['user', 'import', '-'], ['pipe', 'pipe', 'pipe'])
  child.stderr!.destroy()
  const rows = ['{"email": "invalid"}', '{"email": "ada@example.com"}']
  child.stdin!.end(rows.join('\n'))
  assert.equal(await text(child.stdout!), 'Imported 1 of 2 user(s).\n')
  const exported = start(['user', 'export'], ['ignore', 'ignore', 'pipe'])
  exported.stderr!.destroy()
  assert.equal(await endOf(exported), 0)
})

test('a refused import ends while its standard input is open', async (t) => {
  const child = start(['user', 'import', '-'], ['pipe', 'ignore', 'pipe'], 'wrong')
  t.after(() => child.kill('SIGKILL'))
  child.stdin!.write('{"email":"ada@example.com"}\n')
  const errors = text(child.stderr!)
  const [exitCode] = await once(child, 'exit', { signal: AbortSignal.timeout(60_000) })
  assert.equal(exitCode, 1)
  assert.match(await errors, /^The admin key is malformed/)
})
