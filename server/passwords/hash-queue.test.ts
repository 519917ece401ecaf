import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClientGone, type HashCaller, HashQueue, type HashQueueOptions, PasswordHasherBusy } from './hash-queue.ts'

const cost = { memoryKiB: 1024, workMs: 10 }
const soon = () => new Promise(setImmediate)

/** A queue whose jobs end when the test ends them. */
function heldQueue(options: Partial<HashQueueOptions> = {}) {
  const queue = new HashQueue({ concurrency: 1, memoryKiB: 256 * 1024, maxWaitMs: 1_000_000, ...options })
  /** Names of jobs in the order they started. */
  const started: string[] = []
  const running: (() => void)[] = []
  const hold = (name: string) => () => {
    started.push(name)
    return new Promise<void>((end) => running.push(end))
  }
  return {
    queue,
    started,
    add: (name: string, caller: HashCaller, own = cost) => queue.run(own, caller, hold(name)),
    addIdle: (name: string, caller: HashCaller = { tenantId: 'idle' }) => queue.runIdle(cost, caller, hold(name)),
    async endOne() {
      running.shift()?.()
      await soon()
    },
    async endAll() {
      while (running.length > 0) await this.endOne()
    },
  }
}

const a = { tenantId: 'a' }
const b = { tenantId: 'b' }
const c = { tenantId: 'c' }

test('serves tenants in turn, first in, first out within a tenant', async () => {
  const held = heldQueue()
  const jobs = [1, 2, 3, 4].map((n) => held.add(`a${n}`, a))
  jobs.push(held.add('b1', b), held.add('b2', b), held.add('c1', c))
  await held.endAll()
  await Promise.all(jobs)
  assert.deepEqual(held.started, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('runs another tenant’s job after one job of a burst, not after the burst', async () => {
  const held = heldQueue()
  const burst = Array.from({ length: 2000 }, (_, n) => held.add(`a${n}`, a))
  const other = held.add('b', b)
  while (!held.started.includes('b')) await held.endOne()
  assert.ok(held.started.length <= 3, held.started.join())
  await held.endAll()
  await Promise.all([...burst, other])
})

test('runs a tenth as many jobs for a tenant with hashes that cost ten times as much', async () => {
  const held = heldQueue()
  const jobs = Array.from({ length: 5 }, (_, n) => held.add(`a${n}`, a, { ...cost, workMs: 100 }))
  jobs.push(...Array.from({ length: 30 }, (_, n) => held.add(`b${n}`, b)))
  await held.endAll()
  await Promise.all(jobs)
  const second = held.started.indexOf('a2') - held.started.indexOf('a1')
  assert.ok(second >= 10 && second <= 12, held.started.join())
})

test('serves a tenant that sends its next hash when the one before starts no sooner than the others', async () => {
  const held = heldQueue()
  const jobs = [1, 2, 3, 4].map((n) => held.add(`b${n}`, b))
  for (const name of ['a1', 'a2', 'a3']) {
    jobs.push(held.add(name, a))
    while (!held.started.includes(name)) await held.endOne()
  }
  await held.endAll()
  await Promise.all(jobs)
  assert.deepEqual(held.started, ['b1', 'b2', 'a1', 'b3', 'a2', 'b4', 'a3'])
})

test('gives an idle tenant no credit for unused turns', async () => {
  const held = heldQueue()
  const jobs = Array.from({ length: 10 }, (_, n) => held.add(`a${n}`, a))
  for (let n = 0; n < 5; n++) await held.endOne()
  jobs.push(...Array.from({ length: 5 }, (_, n) => held.add(`b${n}`, b)))
  await held.endAll()
  await Promise.all(jobs)
  const tail = held.started.slice(held.started.indexOf('b0'))
  assert.deepEqual(tail.slice(0, 6).filter((name) => name.startsWith('b')).length, 3, tail.join())
})

test('runs no more jobs than cores and memory allow', async () => {
  const held = heldQueue({ concurrency: 4, memoryKiB: 100 })
  const jobs = [60, 30, 30, 10].map((memoryKiB, n) => held.add(`${n}`, a, { memoryKiB, workMs: 1 }))
  assert.deepEqual(held.started, ['0', '1'])
  await held.endOne()
  assert.deepEqual(held.started, ['0', '1', '2', '3'])
  await held.endAll()
  jobs.push(held.add('whole', a, { memoryKiB: 100, workMs: 1 }))
  assert.equal(held.started.at(-1), 'whole')
  await held.endAll()
  await Promise.all(jobs)
})

test('does not let small jobs overtake a large one', async () => {
  const held = heldQueue({ concurrency: 4, memoryKiB: 100 })
  const jobs = [held.add('small', a, { memoryKiB: 50, workMs: 1 }), held.add('large', b, { memoryKiB: 100, workMs: 1 })]
  for (let n = 0; n < 10; n++) jobs.push(held.add(`later ${n}`, c, { memoryKiB: 50, workMs: 1 }))
  assert.deepEqual(held.started, ['small'])
  await held.endOne()
  assert.deepEqual(held.started.slice(0, 2), ['small', 'large'])
  await held.endAll()
  await Promise.all(jobs)
})

test('drops a waiting job whose client leaves, and finishes a running one', async () => {
  const held = heldQueue()
  const client = new AbortController()
  const caller = { ...a, gone: () => client.signal }
  const running = held.add('running', caller)
  const dropped = Array.from({ length: 300 }, (_, n) => assert.rejects(held.add(`dropped ${n}`, caller), ClientGone))
  const kept = held.add('kept', a)
  assert.equal(held.queue.waiting, 301)
  client.abort()
  assert.equal(held.queue.waiting, 1)
  await Promise.all(dropped)
  await assert.rejects(held.add('too late', caller), ClientGone)
  await held.endAll()
  await Promise.all([running, kept])
  assert.deepEqual(held.started, ['running', 'kept'])
  assert.deepEqual([held.queue.working, held.queue.waiting], [0, 0])
})

test('does not charge a tenant for dropped jobs', async () => {
  const held = heldQueue()
  const client = new AbortController()
  const jobs = [held.add('first', a)]
  const dropped = Array.from({ length: 50 }, (_, n) =>
    assert.rejects(held.add(`dropped ${n}`, { ...a, gone: () => client.signal }), ClientGone),
  )
  jobs.push(...Array.from({ length: 10 }, (_, n) => held.add(`b${n}`, b)))
  client.abort()
  await Promise.all(dropped)
  jobs.push(held.add('last', a))
  await held.endAll()
  await Promise.all(jobs)
  assert.ok(held.started.indexOf('last') <= 3, held.started.join())
})

test('runs idle work one at a time, when no request waits and a core is free', async () => {
  const held = heldQueue({ concurrency: 2 })
  const idle = [held.addIdle('idle 1'), held.addIdle('idle 2')]
  assert.deepEqual(held.started, ['idle 1'])
  const requests = ['a', 'b', 'c'].map((tenantId) => held.add(tenantId, { tenantId }))
  assert.deepEqual(held.started, ['idle 1', 'a'])
  assert.equal(held.queue.waiting, 2, 'idle work is not counted')
  await held.endOne()
  assert.deepEqual(held.started, ['idle 1', 'a', 'b'])
  await held.endAll()
  await Promise.all([...idle, ...requests])
  assert.deepEqual(held.started, ['idle 1', 'a', 'b', 'c', 'idle 2'])
})

test('refuses a request that would wait too long, with the time of the work ahead', async () => {
  const held = heldQueue({ concurrency: 2, maxWaitMs: 3000 })
  const heavy = { memoryKiB: 1024, workMs: 1000 }
  const jobs = Array.from({ length: 7 }, (_, n) => held.add(`a${n}`, a, heavy))
  // 7 s of work on two cores, minus the fraction that has run.
  await assert.rejects(held.add('refused', a, heavy), busyFor(4))
  assert.equal(held.queue.waiting, 5)
  // The wait is short for a tenant without jobs.
  jobs.push(held.add('b', b, heavy))
  await held.endAll()
  await Promise.all(jobs)
  assert.ok(!held.started.includes('refused'))
})

test('includes the memory of earlier jobs in the expected wait', async () => {
  const held = heldQueue({ concurrency: 4, memoryKiB: 100, maxWaitMs: 3000 })
  const heavy = { memoryKiB: 100, workMs: 2000 }
  const jobs = [held.add('1', a, heavy), held.add('2', a, heavy)]
  await assert.rejects(held.add('3', a, heavy), busyFor(4))
  await held.endAll()
  await Promise.all(jobs)
})

test('estimates the wait from measured times', async () => {
  const held = heldQueue({ maxWaitMs: 3000 })
  const heavy = { memoryKiB: 1024, workMs: 1000 }
  // Jobs that take almost no time: the machine is far faster than estimated.
  for (let n = 0; n < 100; n++) {
    const done = held.add('fast', a, heavy)
    await held.endOne()
    await done
  }
  const jobs = Array.from({ length: 50 }, () => held.add('accepted', a, heavy))
  await held.endAll()
  await Promise.all(jobs)
})

test('frees its slot when work throws', async () => {
  const { queue } = heldQueue()
  for (let round = 0; round < 3; round++) {
    const fails = () => {
      throw new Error('out of memory')
    }
    await assert.rejects(queue.run(cost, a, fails), /out of memory/)
  }
  assert.equal(await queue.run(cost, a, async () => 'done'), 'done')
})

const busyFor = (seconds: number) => (error: unknown) => {
  assert.ok(error instanceof PasswordHasherBusy)
  assert.deepEqual([error.code, error.details.retryAfterSeconds], ['SERVICE_UNAVAILABLE', seconds])
  return true
}

test('hands results over together while others wait, at the latest after 50 ms', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const held = heldQueue()
  const over: string[] = []
  const add = (name: string) => held.add(name, a).finally(() => over.push(name))
  const jobs = ['1', '2', '3', '4'].map(add)
  await held.endOne()
  t.mock.timers.tick(49)
  await held.endOne()
  assert.deepEqual([held.started, over], [['1', '2', '3'], []])
  t.mock.timers.tick(1)
  await soon()
  assert.deepEqual(over, ['1', '2'])
  await held.endOne()
  assert.deepEqual(over, ['1', '2', '3'])
  await held.endOne()
  await Promise.all(jobs)
})
