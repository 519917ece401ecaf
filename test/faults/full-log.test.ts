import assert from 'node:assert/strict'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { createDiskFixture, type DiskFixture } from '../support/faults/disk-fixture.ts'
import { spawnServer } from '../support/faults/server-process.ts'
import { smallDisk } from '../support/faults/small-disk.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

const test = testOnSqliteAlone('the log does not depend on the engine')
let fixture: DiskFixture
before(async () => {
  fixture = await createDiskFixture()
})
after(() => fixture.close())

const isLine = (text: string): boolean => {
  try {
    return typeof JSON.parse(text).msg === 'string'
  } catch {
    return false
  }
}

test('a server whose log is on a full disk answers, says so, and logs again when space is freed', async (t) => {
  using disk = smallDisk(t, fixture.newFolder())
  if (disk === null) return
  const path = join(disk.folder, 'log')
  const log = openSync(path, 'w')
  const port = await freePort()
  const secrets = {
    adminKey: 'full-log-admin-key-of-at-least-32-characters',
    masterKeys: generateMasterKeys(0),
  }
  const child = spawnServer(fixture.newFolder(), secrets, { PORT: `${port}` }, log, 'pipe')
  closeSync(log)
  t.after(() => void child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  let said = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const isUp = async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.status === 200
  await until(isUp, 20_000)

  disk.fill()
  await until(
    async () => (await isUp()) && said.includes('The log cannot be written (ENOSPC); its lines are lost until it can.'),
  )
  assert.ok(await isUp())
  disk.free()
  await until(async () => (await isUp()) && /The log can be written again; \d+ writes were lost\./.test(said))
  child.kill('SIGTERM')
  assert.deepEqual(await exit, [0, null])
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  assert.ok(lines.filter((line) => !isLine(line)).length <= 1, 'at most the one that did not fit is cut')
  assert.ok(lines.some((line) => line.includes('stop signal received')))
})

test('a development server goes on when the reader of its output has gone', async (t) => {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const secrets = { adminKey: 'closed-output-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }
  const child = spawnServer(fixture.newFolder(), secrets, { PORT: `${port}`, TENANTRY_ENVIRONMENT: 'development' })
  t.after(() => void child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  let printed = ''
  for await (const text of child.stdout!.setEncoding('utf8')) {
    printed += text
    // Ends the loop, which closes the pipe.
    if (printed.includes('npm run demo')) break
  }
  const [, key = '', email = ''] = /tenant key {2}(\S+)\n {2}demo user {3}(\S+)/.exec(printed) ?? []
  const headers = { 'x-tenant-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ step: 'challenge', email })
  const inbox = async () => {
    const answer = await fetch(`${baseUrl}/admin/testing-channel/messages`, {
      headers: { authorization: `Bearer ${secrets.adminKey}` },
    })
    return ((await answer.json()) as { data: { messages: readonly object[] } }).data.messages.length
  }
  const before = await inbox()
  // The server prints each code.
  for (const codes of [1, 2, 3]) {
    assert.equal((await fetch(`${baseUrl}/auth/reset-password`, { method: 'POST', headers, body })).status, 201)
    await until(async () => (await inbox()) === before + codes)
  }
  child.kill('SIGTERM')
  assert.deepEqual(await exit, [0, null])
})
