import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { hashSync } from '@node-rs/argon2'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { createPasswordHasher } from '../../server/passwords/password-hasher.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { importInto } from '../support/import-into.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { fullRunsOnly } from '../support/runner/sample-size.ts'
import { startTestService, testAdminKey } from '../support/service.ts'

const b64 = (length: number) => Buffer.alloc(length, 'k').toString('base64').replaceAll('=', '')
/** A well-formed hash that no known password matches: verifying it takes its full work and fails. */
const argon2 = (mebibytes: number) => `$argon2id$v=19$m=${mebibytes * 1024},t=1,p=1$${b64(16)}$${b64(32)}`
/** N = 2^exponent, r = 8: 2^exponent KiB. */
const scrypt = (exponent: number) => `$scrypt$ln=${exponent},r=8,p=1$${b64(16)}$${b64(32)}`

interface Server extends AsyncDisposable {
  readonly baseUrl: string
  /** Peak resident memory of the process, in MiB. */
  peakMiB(): Promise<number>
}

/** The real server in a child process. */
async function startServer(settings: Record<string, string>): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-memory-'))
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, PORT: '0', TENANTRY_ADMIN_KEY: testAdminKey, TENANTRY_LIMITS: 'all=off', ...settings }
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, '../../server/start.js')], {
    cwd: folder,
    env,
  })
  let output = ''
  const collect = (text: Buffer) => {
    output += text
  }
  child.stdout!.on('data', collect)
  child.stderr!.on('data', collect)
  const exited = once(child, 'exit')
  while (!output.includes('listening on') || !output.endsWith('\n\n')) {
    assert.equal(child.exitCode, null, output)
    await Promise.race([once(child.stdout!, 'data'), exited])
  }
  return {
    baseUrl: /http:\/\/127\.0\.0\.1:\d+/.exec(output)![0],
    async peakMiB() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}

/** Signs in to these hashes in parallel, twice as often as there are cores, and returns the error codes. */
async function signInTo(baseUrl: string, hashes: readonly string[]): Promise<string[]> {
  const admin = createTenantryAdmin({ baseUrl, adminKey: testAdminKey })
  const { id: tenantId } = await admin.createTenant({ name: 'Moved in' })
  await admin.updateConfiguration({ tenantId }, { auth: { methods: ['password'] } })
  const { key: tenantKey } = await admin.createTenantKey({ tenantId }, { name: 'app' })
  const client = createTenantryClient({ baseUrl, tenantKey })
  const rows = hashes.map((passwordHash, n) => ({ email: `${n}@example.com`, passwordHash }))
  assert.deepEqual((await importInto({ admin }, { tenantId }, rows)).errors, [])
  const attempts = Array.from({ length: 2 * Math.max(2, availableParallelism()) }, (_, n) =>
    client
      .signIn({ method: 'password', email: rows[n % rows.length]!.email, password: 'not the password' })
      .then(() => 'signed in')
      .catch(({ code }) => String(code)),
  )
  return Promise.all(attempts)
}

const isLinux = existsSync('/proc/self/status')
for (const [mebibytes, { skip }] of [
  [64, { skip: false }],
  [256, fullRunsOnly],
] as const) {
  test(`stays within TENANTRY_HASH_MEMORY=${mebibytes} plus 200 MiB with the largest imported hashes on all cores`, {
    skip: skip || !isLinux,
  }, async () => {
    await using server = await startServer({ TENANTRY_HASH_MEMORY: String(mebibytes) })
    for (const hash of [argon2(mebibytes), scrypt(Math.log2(mebibytes * 1024))]) {
      const codes = await signInTo(server.baseUrl, [hash])
      assert.ok(codes.includes('INVALID_CREDENTIALS'), codes.join())
      for (const code of codes) assert.match(code, /^(?:INVALID_CREDENTIALS|SERVICE_UNAVAILABLE)$/)
    }
    const peak = await server.peakMiB()
    assert.ok(peak >= mebibytes, `only ${peak} MiB: no hash was computed`)
    assert.ok(peak <= mebibytes + 200, `${peak} MiB`)
  })
}

test('reports a row error for an imported hash that needs more than TENANTRY_HASH_MEMORY', async () => {
  await using service = await startTestService({ hasher: createPasswordHasher({ budgetMiB: 64 }) })
  const tenant = await service.addTenant()
  const { counts, errors } = await importInto(service, tenant, [
    { email: 'a@example.com', passwordHash: argon2(64) },
    { email: 'b@example.com', passwordHash: argon2(65) },
    { email: 'c@example.com', passwordHash: scrypt(17) },
  ])
  assert.equal(counts.imported, 1)
  assert.deepEqual(
    errors.map(({ line, validation }) => [line, validation?.['passwordHash']]),
    [65, 128].map((needed, index) => [
      index + 2,
      `This hash needs ${needed} MiB of memory, but TENANTRY_HASH_MEMORY allows 64 MiB`,
    ]),
  )
})

test('matches nothing for a stored hash that needs more than TENANTRY_HASH_MEMORY, and logs a warning', async () => {
  await using service = await startTestService({ hashMemoryMiB: 19 })
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const heavy = hashSync(person.password, { memoryCost: 20 * 1024, timeCost: 1 })
  await writeStored(service, 'UPDATE users SET password_hash = ? WHERE id = ?', heavy, person.userId)
  await refused(person.signIn(), 'INVALID_CREDENTIALS')
  const [line, ...more] = service.log.filter((text) => text.includes('TENANTRY_HASH_MEMORY'))
  assert.deepEqual(more, [])
  const { level, tenantId, neededMiB, budgetMiB } = JSON.parse(line!)
  assert.deepEqual(
    { level, tenantId, neededMiB, budgetMiB },
    { level: 40, tenantId: tenant.tenantId, neededMiB: 20, budgetMiB: 19 },
  )
  assert.ok(!line!.includes(heavy))
})
