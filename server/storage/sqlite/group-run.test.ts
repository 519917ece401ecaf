import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type TenantStorage, type Tx, WriteConflict } from '../storage.ts'
import { newTenant, schemaOf, userOf } from '../suite/samples.testkit.ts'
import { openTestStorage } from './open-storage.testkit.ts'

/** A storage that counts savepoints, and a group of writes that each add a user. */
async function openCounting(groupSize = 256) {
  const names: string[] = []
  const opened = await openTestStorage({ groupSize, hooks: { onStatement: (name) => names.push(name) } })
  const tenant = await newTenant(opened.storage)
  names.length = 0
  const count = (name: string) => names.filter((each) => each === name).length
  return {
    tenant,
    close: () => opened.close(),
    users: async () => (await opened.dump())['users']?.map(({ id }) => id).sort(),
    get savepoints() {
      return count('sqlite.savepoint')
    },
    get commits() {
      return count('sqlite.commit')
    },
  }
}

/** A write that adds a user and then continues; counts its runs. */
function addingUser(tenant: TenantStorage, id: string, then: (tx: Tx, run: number) => unknown = () => {}) {
  const write = { runs: 0, callbacks: 0 }
  const result = tenant.write(async (tx) => {
    write.runs++
    tx.onCommit(() => write.callbacks++)
    await tx.users.add(userOf({ id }), null)
    await then(tx, write.runs)
  })
  return Object.assign(write, { result })
}

const refuse = () => {
  throw new Error('refused')
}

test('writes that succeed, or fail before they write, run once and without savepoints', async () => {
  const opened = await openCounting()
  const { tenant } = opened
  let reads = 0
  const one = addingUser(tenant, 'one')
  const refused = tenant.write(async (tx) => {
    reads++
    await tx.users.find('nobody')
    refuse()
  })
  const unapplied = tenant.write(async (tx) => {
    reads++
    await tx.sessions.revokeAllOf('nobody', 0)
    refuse()
  })
  const abandoned = tenant.write(async (tx) => {
    reads++
    await tx.users.find('nobody')
    await nextTurn()
  })
  const two = addingUser(tenant, 'two')
  const results = await Promise.allSettled([one.result, refused, unapplied, abandoned, two.result])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'],
  )
  assert.deepEqual([one.runs, two.runs, reads, opened.savepoints, opened.commits], [1, 1, 3, 0, 1])
  assert.deepEqual(await opened.users(), ['one', 'two'])
  await opened.close()
})

const failures: Record<string, { fail: (tx: Tx, run: number) => unknown; error: RegExp }> = {
  'throws after it wrote': { fail: refuse, error: /refused/ },
  'conflicts after it wrote, on every attempt': {
    fail: () => {
      throw new WriteConflict('always')
    },
    error: /always/,
  },
  'awaits something else after it wrote': { fail: () => nextTurn(), error: /awaited something other/ },
  'ends during a call after it wrote': {
    fail: (tx) => void tx.tenant.publishSchema(schemaOf('2', 2), 1, 0).catch(() => {}),
    error: /while one of its calls was running/,
  },
  'has a statement that fails after it wrote': {
    fail: (tx) => tx.users.add(userOf({ createdAt: Number.NaN }), null),
    error: /must be a string, a finite number or null/,
  },
}
for (const [name, { fail, error }] of Object.entries(failures)) {
  test(`a write that ${name} is undone alone, in a second run of its group`, async () => {
    const opened = await openCounting()
    const settled: string[] = []
    const one = addingUser(opened.tenant, 'one')
    const failing = addingUser(opened.tenant, 'failing', fail)
    const two = addingUser(opened.tenant, 'two')
    for (const [id, { result }] of Object.entries({ one, failing, two }))
      result.catch(() => {}).then(() => settled.push(`${id} after ${opened.commits} commits`))
    await assert.rejects(failing.result, error)
    await Promise.all([one.result, two.result])
    assert.deepEqual(settled.sort(), ['failing after 1 commits', 'one after 1 commits', 'two after 1 commits'])
    assert.deepEqual([one.runs, two.runs], [2, 1])
    assert.deepEqual([one.callbacks, failing.callbacks, two.callbacks], [1, 0, 1])
    assert.deepEqual(await opened.users(), ['one', 'two'])
    await addingUser(opened.tenant, 'later').result
    assert.equal(opened.savepoints, name.includes('every attempt') ? 7 : 3, 'only the second run has savepoints')
    await opened.close()
  })
}

test('a write that conflicts after it wrote and then succeeds is stored once', async () => {
  const opened = await openCounting()
  const conflicting = addingUser(opened.tenant, 'conflicting', (_tx, run) => {
    if (run < 4) throw new WriteConflict('thrice')
  })
  await Promise.all([conflicting.result, addingUser(opened.tenant, 'other').result])
  assert.deepEqual([conflicting.runs, conflicting.callbacks], [4, 1])
  assert.deepEqual(await opened.users(), ['conflicting', 'other'])
  await opened.close()
})

test('a write that conflicts before it wrote is repeated without savepoints', async () => {
  const opened = await openCounting()
  let runs = 0
  await opened.tenant.write(async (tx) => {
    if (++runs < 3) throw new WriteConflict('twice')
    await tx.users.add(userOf({ id: 'u' }), null)
  })
  assert.deepEqual([runs, opened.savepoints], [3, 0])
  assert.deepEqual(await opened.users(), ['u'])
  await opened.close()
})

test('writes that fail after they wrote cost the others of their group one more run', async () => {
  const opened = await openCounting()
  const others = Array.from({ length: 20 }, (_, index) => addingUser(opened.tenant, `before-${index}`))
  const failing = Array.from({ length: 20 }, (_, index) => addingUser(opened.tenant, `failing-${index}`, refuse))
  const last = addingUser(opened.tenant, 'last')
  await Promise.all([...others.map(({ result }) => result), last.result])
  for (const { result, runs } of failing) {
    await assert.rejects(result, /refused/)
    assert.ok(runs <= 2)
  }
  assert.ok(others.every(({ runs }) => runs === 2))
  assert.deepEqual([last.runs, opened.commits], [1, 1])
  assert.equal((await opened.users())?.length, 21)
  await opened.close()
})

test('a group runs again before writes that were queued after it', async () => {
  const opened = await openCounting(2)
  const failing = addingUser(opened.tenant, 'failing', refuse)
  const others = Array.from({ length: 5 }, (_, index) => addingUser(opened.tenant, `other-${index}`))
  await assert.rejects(failing.result, /refused/)
  await Promise.all(others.map(({ result }) => result))
  assert.deepEqual([failing.runs, ...others.map(({ runs }) => runs)], [2, 1, 1, 1, 1, 1])
  assert.equal(opened.savepoints, 2)
  await opened.close()
})
