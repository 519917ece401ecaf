import assert from 'node:assert/strict'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { canonicalJson } from '../../server/core/canonical-json.ts'
import { commitmentOf } from '../../server/core/commitment.ts'
import { readPlace } from '../../server/maintenance/place.ts'
import { resealAll } from '../../server/maintenance/reseal.ts'
import { useExecutor } from '../../server/maintenance/use-executor.ts'
import { createKeyring } from '../../server/secrets/keyring.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { type Random, seededRandom } from '../campaign/seeded-random.ts'
import { openTestDatabase } from '../support/databases/open-database.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { queuedEvent } from '../support/events/sealed-events.ts'
import { logsIn, verifyStoredLog } from '../support/events/stored-log.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** A user; the mark is part of every value of the profile. */
interface MarkedUser {
  readonly userId: string
  readonly email: string
  readonly mark: string
}

const password = 'correct horse'
const frequent = ['a new user', 'acts of a user', 'an act of an operator', 'sealing', 'days that pass']

/** A deployment with one tenant over years: everything that changes its logs happens in any order, and may fail. */
export class LongLife implements AsyncDisposable {
  readonly #random: Random
  readonly #database: TestDatabase = openTestDatabase()
  #service!: TestService
  #tenant!: TestTenant
  #now = Date.UTC(2026, 0, 1)
  /** The newest first. */
  #masterKeys = [generateMasterKeys(0)]
  #users: MarkedUser[] = []
  #acts = 0
  /** Statements about events until one fails; null: none does. */
  #failsAfter: number | null = null
  #hasFailed = false
  readonly done: string[] = []

  constructor(...seed: readonly (string | number)[]) {
    this.#random = seededRandom(...seed)
  }

  async start(): Promise<void> {
    await this.#restart()
    const events = { detail: 'all', profileValues: true, days: 20, operatorDays: 40 }
    this.#tenant = await this.#service.addTenant({ configuration: { events } })
    const components = [{ name: 'note', type: 'text' } as const]
    await this.#service.admin.publishProfileSchema({ tenantId: this.#tenant.tenantId }, { components })
  }

  /** One thing that happens, which fails in the middle one time in four. */
  async step(): Promise<void> {
    const isFrequent = this.#random.below(3) === 0
    const name = this.#random.pick(isFrequent ? frequent : Object.keys(this.#happenings))
    const fails = this.#random.below(4) === 0
    this.done.push(fails ? `${name}, failing` : name)
    if (fails) this.#failsAfter = this.#random.below(12)
    this.#hasFailed = false
    try {
      await this.#happenings[name]!()
    } catch (error) {
      if (!this.#hasFailed) throw error
    }
    this.#failsAfter = null
    this.#pass(this.#random.below(MINUTE))
  }

  /** What an operator and an auditor see at any time. */
  async requireSound(): Promise<void> {
    const { admin } = this.#service
    const { tenantId } = this.#tenant
    for (const { faults } of [await admin.verifyEvents({ tenantId }), await admin.verifyDeploymentEvents()])
      assert.deepEqual(faults, [])
    for (const log of logsIn(this.#database))
      assert.deepEqual((await verifyStoredLog(this.#database, log)).faults, [], log)
  }

  /** Two minutes after the last erasure, and once everything is sealed. */
  async requireNothingOfErased(): Promise<{ erased: number; left: number }> {
    await this.#service.service.services.events.drain()
    this.#pass(2 * MINUTE + 1)
    await this.#service.service.services.housekeeping.run()
    assert.deepEqual(this.#database.ask('SELECT user_id FROM event_erasures'), [])
    const left = new Set(this.#database.ask('SELECT id FROM users').map(({ id }) => id))
    const stored = JSON.stringify(this.#database.everything())
    for (const { userId, mark } of this.#users) {
      if (left.has(userId)) continue
      assert.ok(!stored.includes(mark), `${mark} of ${userId} is stored`)
      for (const table of ['events', 'event_queue']) {
        const sql = `SELECT type FROM ${table} WHERE (subject_id = ? OR actor_id = ?) AND personal IS NOT NULL`
        assert.deepEqual(this.#database.ask(sql, userId, userId), [])
      }
    }
    return { erased: this.#users.length - left.size, left: left.size }
  }

  /** How often each kind of change is stored. */
  changes(): Record<string, number> {
    const [row] = this.#database.ask(`SELECT
      (SELECT COUNT(*) FROM event_batches WHERE kept = 0) AS purged,
      (SELECT COUNT(*) FROM event_batches WHERE kept > 0) AS partly,
      (SELECT COUNT(*) FROM events WHERE personal IS NULL) AS erased,
      (SELECT COUNT(*) FROM checkpoint_keys) AS keys`)
    return Object.fromEntries(Object.entries(row!).map(([name, count]) => [name, Number(count)]))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.close()
    await this.#database.release()
  }

  readonly #happenings: Readonly<Record<string, () => Promise<void>>> = {
    'a new user': () => this.#addUser(),
    'acts of a user': () => this.#actAsUser(),
    'many acts of a user': () => this.#actOften(),
    'an act of an operator': () => this.#actAsOperator(),
    'an erasure by an operator': async () => {
      const user = this.#anyUser()
      if (user) await this.#service.admin.deleteUser({ tenantId: this.#tenant.tenantId, userId: user.userId })
    },
    'an erasure by the user': async () => {
      const user = this.#anyUser()
      if (user) await (await this.#signedIn(user)).deleteAccount()
    },
    sealing: () => this.#service.service.services.events.drain(),
    housekeeping: () => this.#service.service.services.housekeeping.run(),
    'days that pass': async () => {
      this.#pass(this.#random.below(40) * DAY)
      await this.#service.service.services.housekeeping.run()
    },
    'another retention': async () => {
      const [days, operatorDays] = [1 + this.#random.below(60), 1 + this.#random.below(90)]
      await this.#service.admin.updateConfiguration(this.#tenant, { events: { days, operatorDays } })
    },
    'a new checkpoint key': async () => {
      this.#database.ask('UPDATE checkpoint_keys SET created_at = created_at - ?', 366 * DAY)
      await this.#restart()
    },
    'a new master key': async () => {
      // Ids are dates.
      this.#masterKeys = [generateMasterKeys(this.#acts++ * DAY + DAY), ...this.#masterKeys]
      await this.#restart()
    },
    'the end of old master keys': async () => {
      const place = readPlace({ env: { DATABASE_URL: this.#database.url }, folder: '/' })
      const keyring = createKeyring(this.#masterKeys.join(','))
      const { left } = await useExecutor(place, (executor) => resealAll(executor, keyring, this.#now))
      assert.deepEqual([...left.closed], [])
      this.#masterKeys = this.#masterKeys.slice(0, 1)
      await this.#restart()
    },
    'a restart': () => this.#restart(),
  }

  async #restart(): Promise<void> {
    await this.#service?.close()
    this.#service = await startTestService({
      ...{ database: this.#database, start: this.#now, masterKeys: this.#masterKeys.join(',') },
      hooks: { onStatement: (name) => this.#failMaybe(name) },
    })
  }

  #failMaybe(name: string): void {
    if (this.#failsAfter === null || !/event/i.test(name)) return
    if (this.#failsAfter-- > 0) return
    this.#failsAfter = null
    this.#hasFailed = true
    throw new Error('the connection is lost')
  }

  #pass(ms: number): void {
    this.#now += ms
    this.#service.clock.set(this.#now)
  }

  #anyUser(): MarkedUser | undefined {
    const left = new Set(this.#database.ask('SELECT id FROM users').map(({ id }) => id))
    return this.#random.shuffled(this.#users).find(({ userId }) => left.has(userId))
  }

  async #addUser(): Promise<void> {
    const number = this.#acts++
    const email = `someone-${number}@example.com`
    const { id } = await this.#service.admin.createUser(this.#tenant, { email, password })
    const user = { userId: id, email, mark: `mark-${number}-` }
    this.#users.push(user)
    await this.#writeProfile(user)
  }

  async #signedIn({ email }: MarkedUser) {
    const client = createTenantryClient({ baseUrl: this.#service.baseUrl, tenantKey: this.#tenant.key })
    return client.withSession((await client.signIn({ method: 'password', email, password })).accessToken)
  }

  async #writeProfile(user: MarkedUser): Promise<void> {
    await (await this.#signedIn(user)).updateProfile({ note: `${user.mark}${this.#acts++}` })
  }

  async #actAsUser(): Promise<void> {
    const user = this.#anyUser()
    for (let acts = this.#random.below(5); user && acts >= 0; acts--) await this.#writeProfile(user)
  }

  /** More events than an erasure takes at once, in one transaction; in half of them the user is only the one who acted. */
  async #actOften(): Promise<void> {
    const user = this.#anyUser()
    if (!user) return
    const { userId, mark } = user
    const asActor = { actorId: userId, subjectKind: 'message', subjectId: null } as const
    await this.#service.service.services.storage.forTenant(this.#tenant.tenantId).write(async (tx) => {
      for (let event = 0; event < 1_100; event++) {
        const personal = canonicalJson({ salt: `${event}`, network: `${mark}network` })
        const who = event % 2 === 0 ? { actorId: userId, subjectId: userId } : asActor
        await tx.events.add(queuedEvent(this.#service, { ...who, personal, commitment: commitmentOf(personal) }))
      }
    })
  }

  async #actAsOperator(): Promise<void> {
    const user = this.#anyUser()
    const phone = `+3361234${String(this.#acts++).padStart(4, '0')}`
    if (user) await this.#service.admin.updateUser({ tenantId: this.#tenant.tenantId, userId: user.userId }, { phone })
    await this.#service.admin.updateTenant(this.#tenant, { name: `Name ${this.#acts++}` })
  }
}
