import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '../core/service-error.ts'
import type { EventSealing, UnsealedLog } from './event-sealing.ts'
import { noteRecorded } from './recorded.ts'
import { EventRelay, type EventRelayOptions } from './relay.ts'
import { batchHash, batchRoot, isSignatureOf, rowHash } from './seal.ts'
import type { EventBatch } from './sealed-log.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const t0 = Date.UTC(2026, 0, 1)
// The timers of a relay keep no process alive, and nothing else happens here while it waits.
const alive = setInterval(() => {}, 1000)
after(() => clearInterval(alive))

/** A queue of `queued` equal events of one log; each transaction holds the writer for 2 ms. */
function fakeQueue(queued: number, { at = t0, failing = 0 } = {}) {
  const event: UnsealedLog['events'][number] = {
    ...{ id: 'event', at, type: 'sign_in.succeeded', actorKind: 'user', actorId: 'u', subjectKind: 'user' },
    ...{ subjectId: 'u', outcome: 'done', requestId: null, public: '{}', commitment: 'commitment' },
  }
  const state = { queued, failing, reads: 0, taken: [] as number[], batches: [] as EventBatch[] }
  const sealing: EventSealing = {
    async seal(most, sealBatch) {
      if (state.failing-- > 0) throw new Error('down')
      const count = Math.min(most, state.queued)
      const last = state.batches.at(-1)
      const head = {
        batch: state.batches.length,
        sequence: last ? last.firstSequence + last.count - 1 : 0,
        hash: last?.hash ?? '',
      }
      state.queued -= count
      state.taken.push(count)
      if (count > 0) state.batches.push(sealBatch({ tenantId: 'tenant', head, events: Array(count).fill(event) }))
      return { events: count, batches: 1, oldest: count > 0 ? at : null, heldMs: 2 }
    },
    sealLog: (_tenantId, most, sealBatch) => sealing.seal(most, sealBatch),
    async oldestLogs() {
      throw new Error('down')
    },
    async depth() {
      state.reads++
      return { events: Math.min(state.queued, 1), oldest: at }
    },
  }
  return { sealing, event, state }
}

const idleLoop = () => ({ active: 0, idle: performance.now() })
const busyLoop = () => ({ active: performance.now(), idle: 0 })

const relayOf = (sealing: EventSealing, options: Partial<EventRelayOptions> = {}) => {
  const errors: unknown[] = []
  const relay = new EventRelay({
    sealing,
    keys: { signer: async () => ({ kid: 'kid', privateKey }) },
    clock: { now: () => t0 },
    logger: { error: (...error: unknown[]) => void errors.push(error) },
    waiting: () => 0,
    loopTimes: idleLoop,
    ...options,
  })
  return { relay, errors }
}

test('seals and signs all that is queued in batches that link to each other', async () => {
  const { sealing, event, state } = fakeQueue(9_001)
  const { relay } = relayOf(sealing)
  await relay.drain()
  assert.deepEqual(state.taken, [1_000, 8_000, 1])
  const [first, second, third] = state.batches as [EventBatch, EventBatch, EventBatch]
  assert.deepEqual(
    [first, second, third].map(({ batch, firstSequence, count, previous }) => [batch, firstSequence, count, previous]),
    [
      [1, 1, 1_000, ''],
      [2, 1_001, 8_000, first.hash],
      [3, 9_001, 1, second.hash],
    ],
  )
  assert.equal(third.root, batchRoot([rowHash(event)]))
  const { hash, kid, signature, ...content } = third
  assert.equal(hash, batchHash('tenant', content))
  assert.ok(isSignatureOf(hash, signature, publicKey))
  assert.equal(kid, 'kid')
})

test('neither writes nor signs while nothing is queued', async () => {
  const { sealing, state } = fakeQueue(0)
  const keys = { signer: () => Promise.reject(new Error('not needed')) }
  const { relay, errors } = relayOf(sealing, { keys })
  relay.start()
  await relay.drain()
  await relay.stop()
  assert.deepEqual(state.taken, [])
  assert.deepEqual(errors, [])
})

test('an event of this process is sealed soon, together with those that follow it', async () => {
  const { sealing, state } = fakeQueue(0)
  const { relay } = relayOf(sealing)
  relay.start()
  await relay.drain()
  for (let count = 0; count < 50; count++) {
    state.queued++
    noteRecorded()
  }
  while (state.queued > 0) await pause(5)
  assert.deepEqual(state.taken, [50])
  await relay.stop()
  noteRecorded()
})

test('while requests take all of the time, takes its share in small transactions', async () => {
  for (const busy of [{ loopTimes: busyLoop }, { waiting: () => 1 }]) {
    const { sealing, state } = fakeQueue(10_000)
    const { relay } = relayOf(sealing, { ...busy, share: 10, drainTimeoutMs: 0 })
    const startedAt = performance.now()
    relay.start()
    while (state.taken.length < 5) await pause(1)
    // 2 ms of work and the COMMIT are followed by 29 ms of rest. A timer may end 1 ms early.
    const elapsedMs = performance.now() - startedAt
    const rests = state.taken.length - 1
    assert.ok(elapsedMs >= rests * 27, `${rests} rests in ${elapsedMs.toFixed(0)} ms`)
    assert.deepEqual([...new Set(state.taken)], [100])
    await relay.stop()
  }
})

test('takes the time that it needs when the oldest event is a minute old, and when there are no requests', async () => {
  for (const [at, loopTimes, sizes] of [
    [t0 - 60_000, busyLoop, Array(90).fill(100)],
    [t0, idleLoop, [1_000, 8_000]],
  ] as const) {
    const { sealing, state } = fakeQueue(9_000, { at })
    const { relay } = relayOf(sealing, { loopTimes })
    relay.start()
    while (state.queued > 0) await pause(1)
    assert.deepEqual(state.taken.slice(0, sizes.length), sizes)
    await relay.stop()
  }
})

test('a large transaction that fails is followed by a smaller one', async () => {
  const { sealing, state } = fakeQueue(5_000)
  const refused = new ServiceError('SERVICE_UNAVAILABLE')
  const { relay } = relayOf({
    ...sealing,
    seal: (most, sealBatch) => (most > 1_000 ? Promise.reject(refused) : sealing.seal(most, sealBatch)),
  })
  for (let count = 0; count < 2; count++) await assert.rejects(relay.drain(), refused)
  assert.deepEqual(state.taken, [1_000, 1_000])
})

test('a backlog is sealed in large transactions only while there are hardly any requests', async () => {
  const someRequests = () => ({ active: performance.now() * 0.1, idle: performance.now() * 0.9 })
  const { sealing, state } = fakeQueue(5_000)
  const { relay } = relayOf(sealing, { loopTimes: someRequests })
  relay.start()
  while (state.queued > 0) await pause(1)
  assert.deepEqual(state.taken.slice(0, 5), Array(5).fill(1_000))
  await relay.stop()
})

test('stop seals what is queued, without rest', async () => {
  const { sealing, state } = fakeQueue(0)
  const { relay } = relayOf(sealing, { loopTimes: busyLoop, share: 1 })
  relay.start()
  await relay.drain()
  state.queued = 5_500
  const startedAt = performance.now()
  await relay.stop()
  assert.equal(state.queued, 0)
  // 2 ms of work would be followed by 198 ms of rest.
  assert.ok(performance.now() - startedAt < 900)
})

test('stop leaves what does not fit into the drain timeout', async () => {
  const { sealing, state } = fakeQueue(Number.MAX_SAFE_INTEGER)
  const slowly = {
    ...sealing,
    async seal(...call: Parameters<EventSealing['seal']>) {
      await pause(2)
      return sealing.seal(...call)
    },
  }
  const { relay } = relayOf(slowly, { drainTimeoutMs: 20 })
  relay.start()
  await relay.stop()
  assert.ok(state.taken.length > 0)
})

test('a failing database is tried again with the next poll, and logged once', async () => {
  const { sealing, state } = fakeQueue(10, { failing: 1 })
  const { relay, errors } = relayOf(sealing)
  relay.start()
  for (let count = 0; count < 20; count++) {
    await pause(5)
    noteRecorded()
  }
  assert.equal(state.failing, 0)
  assert.deepEqual(state.taken, [])
  assert.equal(errors.length, 1)
  while (state.queued > 0) await pause(20)
  assert.deepEqual([state.taken[0], errors.length], [10, 1])
  await relay.stop()
})

test('a log that cannot be sealed does not stop the others, and is reported and tried again at intervals', async () => {
  const queues = new Map(Object.entries({ broken: 2_500, one: 1_700, two: 300 }))
  const tried: string[] = []
  let isBroken = true
  const sealLog: EventSealing['sealLog'] = async (tenantId, most) => {
    tried.push(tenantId)
    if (tenantId === 'broken' && isBroken) throw new Error('duplicate key')
    const events = Math.min(most, queues.get(tenantId)!)
    queues.set(tenantId, queues.get(tenantId)! - events)
    return { events, batches: 1, oldest: t0, heldMs: 0 }
  }
  const next = (leftOut: readonly string[]) =>
    [...queues].filter(([tenantId, queued]) => queued > 0 && !leftOut.includes(tenantId)).map(([tenantId]) => tenantId)
  const sealing: EventSealing = {
    sealLog,
    async seal(most, sealBatch, leftOut = []) {
      tried.push(...leftOut.map((left) => `without ${left}`))
      const [tenantId] = next(leftOut)
      if (tenantId === undefined) return { events: 0, batches: 0, oldest: null, heldMs: 0 }
      return sealLog(tenantId, most, sealBatch)
    },
    oldestLogs: async (_most, leftOut) => next(leftOut),
    depth: async () => ({ events: 1, oldest: t0 }),
  }
  const { relay, errors } = relayOf(sealing)
  relay.start()
  await relay.drain()
  assert.deepEqual([...queues.values()], [2_500, 0, 0])
  assert.deepEqual(tried.filter((tenantId) => tenantId === 'broken').length, 2, 'once with others and once alone')
  assert.equal(errors.length, 1)
  assert.partialDeepStrictEqual(errors[0], [{ tenantId: 'broken', retryInSeconds: 1 }])
  isBroken = false
  while (queues.get('broken')! > 0) await pause(20)
  assert.equal(tried.at(-1), 'broken', 'sealed with the others again')
  assert.equal(errors.length, 1)
  await relay.stop()
})
