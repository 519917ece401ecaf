import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import type { ErrorCode } from '../../contract/errors.ts'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTenantryClient, TenantryConnectionError } from '../../packages/client/src/index.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { assertSoundRows } from '../campaign/crashes/crash-invariants.ts'
import { type DyingProcess, startDyingProcess } from '../campaign/crashes/dying-process.ts'
import { refused } from '../support/refused.ts'
import { sampleSize } from '../support/runner/sample-size.ts'

const adminKey = 'crash-points-admin-key-of-32-characters'
const masterKeys = generateMasterKeys(0)
const scope = 'reset_password'
const names = { update: 'first update of a profile', again: 'later update of a profile' }

let folder: string
let databasePath: string
let running: DyingProcess
let tenant: { tenantId: string; tenantKey: string }
let people = 0

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-points-'))
  databasePath = join(folder, 'tenantry.db')
  running = await startDyingProcess(databasePath, adminKey, masterKeys)
  const { id: tenantId } = await admin().createTenant({ name: 'Crash points' })
  await admin().updateConfiguration({ tenantId }, { otp: { resendIntervalSeconds: 0 } })
  await admin().publishProfileSchema({ tenantId }, { components: [{ name: 'nick', type: 'text' }] })
  tenant = { tenantId, tenantKey: (await admin().createTenantKey({ tenantId }, {})).key }
})
after(async () => {
  await running.kill()
  await rm(folder, { recursive: true })
})

const admin = () => createTenantryAdmin({ baseUrl: running.baseUrl, adminKey })
const app = () => createTenantryClient({ baseUrl: running.baseUrl, tenantKey: tenant.tenantKey })

/** Sends the request that is interrupted, and repeats it. */
type Ask = () => Promise<unknown>

/** Each operation, its setup, and what repeating its request answers after it was done. */
const operations: { name: string; prepare: () => Promise<Ask>; again: ErrorCode | 'succeeds' }[] = [
  {
    name: 'challenge',
    async prepare() {
      const email = await newPerson()
      return () => app().resetPassword({ step: 'challenge', email })
    },
    again: 'succeeds',
  },
  {
    name: 'resend',
    async prepare() {
      const { id } = await challenge(await newPerson())
      return () => app().resendOtp({ id, scope })
    },
    again: 'succeeds',
  },
  {
    name: 'verify',
    async prepare() {
      const { id, code } = await challenge(await newPerson())
      return () => app().verifyOtp({ id, scope, code })
    },
    again: 'OTP_ALREADY_VERIFIED',
  },
  {
    name: 'confirm',
    async prepare() {
      const email = await newPerson()
      const { id, code } = await challenge(email)
      await challenge(email)
      await app().signIn({ method: 'password', email, password: 'the password before' })
      await app().verifyOtp({ id, scope, code })
      return () => app().resetPassword({ step: 'confirm', token: id, password: 'the password after' })
    },
    again: 'OTP_ALREADY_CONSUMED',
  },
  { name: names.update, prepare: () => updateOf({}), again: 'succeeds' },
  { name: names.again, prepare: () => updateOf({ nick: 'before' }), again: 'succeeds' },
]

async function newPerson(): Promise<string> {
  const email = `person-${++people}@example.com`
  await admin().createUser({ tenantId: tenant.tenantId }, { email, password: 'the password before' })
  return email
}

async function challenge(email: string): Promise<{ id: string; code: string }> {
  const { id } = await app().resetPassword({ step: 'challenge', email })
  for (;;) {
    const { messages } = await admin().listTestingChannelMessages({ otpId: id })
    if (messages[0]?.code) return { id, code: messages[0].code }
  }
}

async function updateOf(profile: Record<string, unknown>): Promise<Ask> {
  const email = await newPerson()
  const { accessToken } = await app().signIn({ method: 'password', email, password: 'the password before' })
  if (Object.keys(profile).length > 0) await app().withSession(accessToken).updateProfile(profile)
  return () => app().withSession(accessToken).updateProfile({ nick: 'after' })
}

/** The rows of all tables that requests write, once no message is waiting. */
async function rows(): Promise<unknown> {
  using database = new DatabaseSync(databasePath, { timeout: 5000 })
  const tables = ['users', 'otps', 'sessions', 'profiles', 'outbox']
  const waiting = database.prepare("SELECT id FROM outbox WHERE state IN ('queued', 'sending')")
  while (waiting.all().length > 0) await new Promise((resolve) => setImmediate(resolve))
  assertSoundRows(database)
  return tables.map((name) => database.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all())
}

async function dieAt(point: string, ask: Ask): Promise<void> {
  await running.crashAt({ before: point })
  await assert.rejects(ask(), TenantryConnectionError, 'an answer was sent')
  assert.equal(await running.ended, 'SIGKILL')
}

for (const { name, prepare, again } of operations) {
  test(`${name}: a kill before its COMMIT stores nothing, a kill after it everything`, async (t) => {
    const learn = await prepare()
    await learn()
    const { statements } = running
    assert.ok(statements.length > 0)
    // A sample has one point between statements, in the operation with the most of them.
    const between = statements.slice(1, 1 + sampleSize(statements.length, name === 'confirm' ? 1 : 0))
    const points = [...between, 'commit', 'answer']
    for (const point of points) {
      const ask = await prepare()
      const stored = await rows()
      await dieAt(point, ask)
      using database = new DatabaseSync(databasePath)
      assertSoundRows(database)
      // The lease of the dead process would expire in half a minute; this expires it now.
      database.prepare("UPDATE outbox SET due_at = 0 WHERE state = 'sending'").run()
      running = await startDyingProcess(databasePath, adminKey, masterKeys)
      if (point === 'answer') {
        assert.notDeepEqual(await rows(), stored)
        await (again === 'succeeds' ? ask() : refused(ask(), again))
      } else {
        assert.deepEqual(await rows(), stored, `killed before ${point}`)
        await ask()
      }
    }
    t.diagnostic(`${name}: killed before ${points.join(', ')}`)
  })
}
