import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { afterEach, beforeEach, test } from 'node:test'
import pg from 'pg'
import type { Sealing } from '../../server/events/event-sealing.ts'
import { EventRelay } from '../../server/events/relay.ts'
import { t0 } from '../../server/storage/suite/samples.testkit.ts'
import { onPostgres } from '../support/databases/open-database.ts'
import { until } from '../support/until.ts'
import { logger, openSealingWorld, type SealingWorld, tenants, ways } from './sealing.testkit.ts'

let world: SealingWorld
beforeEach(async () => {
  world = await openSealingWorld()
})
afterEach(() => world[Symbol.asyncDispose]())

/** Heads that are read wrong: by the name of the statement, what to replace in it. */
const misreadHeads: Record<string, Record<string, readonly [string, string]>> = {
  'another batch': {
    'eventLog.lockHead': ['RETURNING batch', 'RETURNING batch + 1'],
    'postgres.eventLog.move': ['heads.batch, heads.sequence', 'heads.batch + 1, heads.sequence'],
  },
  'an earlier sequence': {
    'eventLog.lockHead': ['RETURNING batch, sequence', 'RETURNING batch, sequence - 1'],
    'postgres.eventLog.move': ['heads.sequence + ROW_NUMBER', 'heads.sequence - 1 + ROW_NUMBER'],
  },
}

for (const [way, seal] of Object.entries(ways)) {
  const sealed = way === 'alone' ? ['one'] : tenants

  test(`order: events are numbered and hashed in the order of their ids, sealed ${way}`, async () => {
    const { database, sealBatch, queue, elsewhere, requireSealed } = world
    const shuffled = Array.from({ length: 47 }, (_, index) => ((index * 29) % 47) + 1)
    await queue(shuffled, sealed)
    // An index would return the events in order even if nothing asked for it.
    if (onPostgres)
      for (const scan of ['indexscan', 'bitmapscan', 'indexonlyscan'])
        database.ask(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET enable_${scan} = off`)
    // SQLite takes the events that were queued first.
    const steps = onPostgres ? [sealed.length * 20, 1_000] : [1_000]
    for (const most of steps) await elsewhere({}, (other) => seal(other, most, sealBatch))
    await requireSealed(
      shuffled.toSorted((one, other) => one - other),
      sealed,
    )
  })

  test(`chain: each batch has the hash of the one before, and the head that of the last, sealed ${way}`, async () => {
    const { database, sealBatch, sealing, queue, batchesOf, requireSealed } = world
    for (const number of [1, 2, 3]) {
      await queue([number], sealed)
      await seal(sealing, 10, sealBatch)
    }
    for (const tenantId of sealed) {
      const batches = batchesOf(tenantId)
      const [head] = database.ask('SELECT * FROM event_heads WHERE tenant_id = ?', tenantId)
      assert.deepEqual(
        [...batches.map(({ previous }) => previous), head?.['hash']],
        ['', ...batches.map((b) => b['hash'])],
      )
      assert.equal(new Set(batches.map(({ hash }) => hash)).size, 3)
    }
    await requireSealed([1, 2, 3], sealed)
  })

  test(`sequence: nothing is sealed after a head that is not the current one, sealed ${way}`, async () => {
    const { sealBatch, sealing, queue, elsewhere, stored, requireSealed } = world
    await queue([1], sealed)
    await seal(sealing, 10, sealBatch)
    await queue([2, 3], sealed)
    const before = stored()
    for (const [misread, places] of Object.entries(misreadHeads)) {
      let found = false
      const rewrite = (name: string, sql: string) => {
        const [right, wrong] = places[name] ?? ['', '']
        found ||= right !== '' && sql.includes(right)
        return sql.replace(right, wrong)
      }
      await assert.rejects(elsewhere({ rewrite }, (other) => seal(other, 10, sealBatch)))
      assert.ok(found)
      assert.deepEqual(stored(), before, misread)
    }
    await seal(sealing, 10, sealBatch)
    await requireSealed([1, 2, 3], sealed)
  })
}

test('signature: the checkpoint key signs the hash of each batch', async () => {
  const { sealBatch, sealing, queue, batchesOf, requireSealed } = world
  await queue([1, 2])
  await sealing.seal(3, sealBatch)
  await sealing.seal(3, sealBatch)
  const [key] = await world.storage.system.checkpointKeys.list()
  const publicKey = createPublicKey({ key: JSON.parse(key!.publicJwk), format: 'jwk' })
  for (const { hash, signature, kid } of tenants.flatMap(batchesOf)) {
    assert.equal(kid, key!.kid)
    const [signed, by] = [hash, signature].map((text) => Buffer.from(String(text), 'base64url'))
    assert.ok(verify(null, signed!, publicKey, by!))
  }
  await requireSealed([1, 2])
})

const onPostgresAlone = { skip: !onPostgres && 'a SQLite file has one writer at a time' }

test(
  'lock: sealing skips a log that another process is sealing, and does not wait for it',
  onPostgresAlone,
  async () => {
    const { sealBatch, sealing, queue, requireSealed } = world
    await queue([1])
    await sealing.seal(10, sealBatch)
    await queue([2])
    await using other = await holdHead('one')
    assert.equal((await sealing.seal(10, sealBatch)).events, 2)
    await other.query('ROLLBACK')
    assert.equal((await sealing.seal(10, sealBatch)).events, 1)
    await requireSealed([1, 2])
  },
)

test('lock: a log that is sealed alone is continued after what another process sealed', onPostgresAlone, async () => {
  const { sealBatch, sealing, queue } = world
  await queue([1], ['one'])
  await sealing.seal(10, sealBatch)
  await queue([2], ['one'])
  await using other = await holdHead('one')
  await other.query(`UPDATE event_heads SET batch = 2, sequence = 7, hash = 'other' WHERE tenant_id = 'one'`)
  const heads: object[] = []
  const sealingAlone = sealing.sealLog('one', 10, (log) => {
    heads.push(log.head)
    return sealBatch(log)
  })
  await until(async () => (await other.query(waiting)).rowCount === 1)
  await other.query('COMMIT')
  await sealingAlone
  // Without a lock the transaction would only find at its end that it continues another head.
  assert.deepEqual(heads, [{ batch: 2, sequence: 7, hash: 'other' }])
})

const waiting = `SELECT pg_stat_clear_snapshot(), 1 FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND datname = current_database()`

/** A connection with a transaction that has locked the head of a log. */
async function holdHead(tenantId: string) {
  const client = new pg.Client({ connectionString: world.database.url })
  await client.connect()
  await client.query('BEGIN')
  await client.query('UPDATE event_heads SET batch = batch WHERE tenant_id = $1', [tenantId])
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

for (const [way, seal] of Object.entries(ways)) {
  test(`crash: after a failure at any statement or the COMMIT, each event is sealed once, sealed ${way}`, async () => {
    const { sealBatch, sealing, queue, elsewhere, stored, requireSealed } = world
    const sealed = way === 'alone' ? ['one'] : tenants
    const numbers: number[] = []
    // First the COMMIT fails, then each statement in turn, until there is none that could.
    for (let step = 0, hasFailed = true; hasFailed; step++) {
      numbers.push(step + 1)
      await queue([step + 1], sealed)
      const before = stored()
      let count = 0
      const onStatement = (name: string) => {
        // All that follow fail too: SQLite runs a job again that failed in a group.
        if (/eventLog|eventQueue/.test(name) && ++count >= step && step > 0) throw new Error('crash')
      }
      const beforeCommit = () => {
        // Opening the storage commits too.
        if (step === 0 && count > 0) throw new Error('crash')
      }
      hasFailed = await elsewhere({ onStatement, beforeCommit }, (other) => seal(other, 100, sealBatch)).then(
        () => false,
        ({ message }) => message.includes('crash'),
      )
      if (hasFailed) assert.deepEqual(stored(), before, `failed at statement ${step}`)
      assert.equal((await seal(sealing, 100, sealBatch)).events, hasFailed ? sealed.length : 0)
    }
    assert.ok(numbers.length > 4, `${numbers.length} steps`)
    await requireSealed(numbers, sealed)
  })
}

test('share: a busy process rests after each transaction until it was its share', async (t) => {
  // The timers of a relay keep no process alive, and nothing else happens here while it stops.
  const alive = setInterval(() => {}, 1_000)
  t.after(() => clearInterval(alive))
  const { keys, sealing, queue } = world
  await queue(
    Array.from({ length: 300 }, (_, index) => index + 1),
    ['one'],
  )
  const turns: (Sealing & { readonly at: number })[] = []
  const relay = new EventRelay({
    sealing,
    keys,
    clock: { now: () => t0 },
    logger,
    waiting: () => 1,
    share: 20,
    drainTimeoutMs: 0,
    onSealed: (sealed) => turns.push({ ...sealed, at: performance.now() }),
  })
  relay.start()
  await until(() => turns.length >= 3)
  await relay.stop()
  for (const [index, { events, at }] of turns.slice(1, 3).entries()) {
    const before = turns[index]!
    assert.equal(events, 100)
    // The time of the transaction, and 60 % more for its COMMIT, is a fifth of the time until the next one begins.
    assert.ok(at - before.at >= before.heldMs * 1.6 * 4 - 1, `${at - before.at} ms after ${before.heldMs} ms`)
  }
})
