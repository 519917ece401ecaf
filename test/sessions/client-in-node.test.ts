import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { bundle } from '../support/browser/browser.ts'
import { addPerson } from '../support/person.ts'
import { startTestService } from '../support/service.ts'

/** Signs in unless the file has a session, and prints who is signed in. Node 20 can run it. */
const script = `
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createSession, createTenantryClient } from './client.js'
const [baseUrl, tenantKey, email, password, file] = process.argv.slice(2)
const fileStorage = {
  getItem: () => { try { return readFileSync(file, 'utf8') } catch { return null } },
  setItem: (_, value) => writeFileSync(file, value),
  removeItem: () => rmSync(file, { force: true }),
}
const client = createTenantryClient({ baseUrl, tenantKey })
const session = createSession(client, file === undefined ? {} : { storage: fileStorage })
const { status } = await session.ready()
if (status === 'signedOut') await session.client.signIn({ method: 'password', email, password })
const [{ id }] = await Promise.all([session.client.getAccount(), session.client.getAccount()])
console.log(JSON.stringify({ status, id, version: process.version }))
`

/** Every Node of this machine: the one that runs the tests, and others in PATH. */
function installedNodes(): string[] {
  const named = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  const isExecutable = (path: string): boolean => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  }
  return [...new Set([process.execPath, ...named.filter(isExecutable)])]
}

test('keeps a session in memory and in a file, with every installed Node', async (t) => {
  await using service = await startTestService()
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-session-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'client.js'), await bundle('packages/client/src/index.ts'))
  await writeFile(join(folder, 'script.js'), script)
  const run = async (node: string, file?: string) => {
    const args = [join(folder, 'script.js'), service.baseUrl, tenant.key, person.email, person.password]
    const { stdout } = await promisify(execFile)(node, file === undefined ? args : [...args, file])
    return JSON.parse(stdout)
  }
  for (const [index, node] of installedNodes().entries()) {
    const file = join(folder, `session-${index}.json`)
    assert.equal((await run(node)).id, person.userId)
    assert.equal((await run(node, file)).status, 'signedOut')
    const { refreshToken } = JSON.parse(await readFile(file, 'utf8'))
    service.clock.advance(20 * 60_000)
    const { status, id } = await run(node, file)
    assert.deepEqual([status, id], ['signedIn', person.userId])
    assert.notEqual(JSON.parse(await readFile(file, 'utf8')).refreshToken, refreshToken)
  }
})
