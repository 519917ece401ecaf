import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises'
import { createKeyring } from '../../secrets/keyring.ts'
import { generateMasterKeys } from '../../secrets/master-keys.ts'
import { openTestStorage } from '../../storage/sqlite/open-storage.testkit.ts'
import { t0 } from '../../storage/suite/samples.testkit.ts'
import { loadSigningKeys } from './load-signing-keys.ts'
import type { SigningKeyStore } from './signing-key-store.ts'
import { leadTimes, trustMs } from './signing-keys.ts'

const gone = generateMasterKeys(t0)
const kept = generateMasterKeys(t0 + 86_400_000)

/** A storage that processes with different master keys load their signing keys from. */
async function start() {
  const { storage, close } = await openTestStorage()
  const warnings: object[] = []
  const logger = { info: () => {}, warn: (about: object) => void warnings.push(about) }
  const store = storage.system.signingKeys
  const load = (masterKeys: string, now: number, from: SigningKeyStore = store) =>
    loadSigningKeys({ store: from, keyring: createKeyring(masterKeys), logger, periodMs: 86_400_000 }, now)
  return { load, warnings, close, store }
}

test('starts without the master key of a previous signing key, which stays trusted', async () => {
  const { load, warnings, close } = await start()
  const [old] = (await load(gone, t0)).list(t0)
  const overlapping = await load(`${kept},${gone}`, t0)
  await overlapping.rotate(t0)
  const later = t0 + leadTimes.requested
  const keys = await load(kept, later)
  assert.deepEqual(
    keys.list(later).map(({ state }) => state),
    ['previous', 'current'],
  )
  assert.equal(keys.current(later).kid, keys.list(later)[1]?.kid)
  assert.notEqual(keys.publicKey(old!.kid, later), null)
  assert.deepEqual(warnings, [])
  await close()
})

test('signs with the next key early when the current one cannot be opened, and logs it once', async () => {
  const { load, warnings, close } = await start()
  await load(gone, t0)
  await (await load(`${kept},${gone}`, t0)).rotate(t0)
  const keys = await load(kept, t0)
  const [current, next] = keys.list(t0)
  assert.deepEqual([current?.state, next?.state], ['current', 'next'])
  assert.equal(keys.current(t0).kid, next?.kid)
  await keys.maintain(t0)
  assert.deepEqual(warnings, [{ kid: current?.kid }])
  await close()
})

test('rejects when no key that may sign can be opened, and adds none', async () => {
  const { load, store, close } = await start()
  await load(gone, t0)
  const before = await store.list()
  const [goneId] = gone.split(':', 1)
  await assert.rejects(
    load(kept, t0),
    new RegExp(`Cannot open any signing key: the master key ${goneId} is missing; .* TENANTRY_MASTER_KEYS`),
  )
  const other = generateMasterKeys(t0).replace(/^[^:]+/, goneId!)
  await assert.rejects(load(other, t0), new RegExp(`the master key ${goneId} has another value`))
  assert.deepEqual(await store.list(), before)
  await close()
})

test('does not sign with an older key when the current one cannot be opened', async () => {
  const { load, close } = await start()
  const keys = await load(gone, t0)
  await (await load(`${kept},${gone}`, t0)).rotate(t0)
  await keys.reload()
  const later = t0 + leadTimes.requested
  keys.current(later - 1)
  assert.throws(() => keys.current(later), /Cannot open any signing key/)
  await close()
})

test('signs with the first key when the clock is behind that of the process that created it', async () => {
  const { load, close } = await start()
  const { kid } = (await load(kept, t0)).current(t0)
  const early = t0 - 30_000
  const keys = await load(kept, early)
  assert.equal(keys.current(early).kid, kid)
  assert.deepEqual(
    keys.list(early).map(({ state }) => state),
    ['current'],
  )
  await close()
})

for (const [how, lead] of [
  ['rotate', leadTimes.requested],
  ['maintain', leadTimes.scheduled],
] as const) {
  test(`${how} replaces a next key that a clock a year ahead has added`, async () => {
    const { load, store, close } = await start()
    const keys = await load(kept, t0)
    const [first] = await store.list()
    await keys.maintain(t0 + 365 * 86_400_000)
    assert.equal((await store.list()).length, 2)
    for (let call = 0; call < 2; call++) await keys[how](t0)
    assert.deepEqual(
      (await store.list()).slice(2).map(({ signsFrom }) => signsFrom - t0),
      [lead],
    )
    assert.equal(keys.current(t0).kid, first!.kid)
    assert.equal(keys.current(t0 + lead).kid, keys.list(t0).at(-1)!.kid)
    await keys.maintain(t0 + lead + trustMs)
    assert.equal((await store.list()).length, 1)
    await close()
  })
}

test('processes that start at the same time sign with the same key', async () => {
  const { load, close } = await start()
  const loaded = await Promise.all(Array.from({ length: 5 }, () => load(kept, t0)))
  assert.equal(new Set(loaded.map((keys) => keys.current(t0).kid)).size, 1)
  assert.equal(new Set(loaded.map((keys) => keys.jwks(t0))).size, 1)
  await close()
})

test('adds one key for concurrent rotations, whichever is faster', async () => {
  const { load, store, close } = await start()
  const keys = await load(kept, t0)
  for (let round = 1; round <= 10; round++) {
    const now = t0 + round * leadTimes.requested
    const rotations: Promise<void>[] = []
    for (let count = 0; count < 20; count++) {
      rotations.push(keys.rotate(now))
      await immediate()
    }
    await Promise.all(rotations)
    assert.equal((await store.list()).length, round + 1)
  }
  await close()
})

test('a rotation takes into account what other processes did in the meantime', async () => {
  const { load, close } = await start()
  const [here, elsewhere] = [await load(kept, t0), await load(kept, t0)]
  await elsewhere.withdrawAll(t0)
  await here.rotate(t0)
  assert.deepEqual(
    here.list(t0).map(({ state }) => state),
    ['current', 'next'],
  )
  assert.equal(here.current(t0).kid, elsewhere.current(t0).kid)
  await close()
})

test('tokens with an unknown key share one look-up', async () => {
  const { load, close } = await start()
  const [here, elsewhere] = [await load(kept, t0), await load(kept, t0)]
  await elsewhere.withdrawAll(t0)
  const { kid } = elsewhere.current(t0)
  assert.equal(here.publicKey(kid, t0), null)
  const found = await Promise.all(Array.from({ length: 3 }, () => here.findPublicKey(kid, t0)))
  for (const key of found) assert.notEqual(key, null)
  await close()
})

test('looks up an unknown key after the clock went back', async () => {
  const { load, close } = await start()
  const [here, elsewhere] = [await load(kept, t0), await load(kept, t0)]
  assert.equal(await here.findPublicKey('unknown', t0 + 365 * 86_400_000), null)
  await elsewhere.withdrawAll(t0)
  assert.notEqual(await here.findPublicKey(elsewhere.current(t0).kid, t0), null)
  await close()
})

test('reads the keys again after a read that failed', async () => {
  const { load, store, close } = await start()
  let isBroken = false
  const broken: SigningKeyStore = {
    list: () => (isBroken ? Promise.reject(new Error('the database is away')) : store.list()),
    add: (key) => store.add(key),
    replaceAll: (key) => store.replaceAll(key),
    erase: (before) => store.erase(before),
  }
  const [here, elsewhere] = [await load(kept, t0, broken), await load(kept, t0)]
  isBroken = true
  await assert.rejects(here.maintain(t0), /the database is away/)
  isBroken = false
  await elsewhere.rotate(t0)
  await here.maintain(t0)
  assert.equal(here.jwks(t0), elsewhere.jwks(t0))
  await close()
})

test('a slower read that began earlier does not undo a withdrawal', async () => {
  const { load, store, close } = await start()
  let held: Promise<void> | undefined
  const slowAtTimes: SigningKeyStore = {
    async list() {
      const answer = held
      const listed = await store.list()
      await answer
      return listed
    },
    add: (key) => store.add(key),
    replaceAll: (key) => store.replaceAll(key),
    erase: (before) => store.erase(before),
  }
  const keys = await load(kept, t0, slowAtTimes)
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  const slow = keys.reload()
  held = undefined
  const withdrawal = keys.withdrawAll(t0)
  await Promise.race([withdrawal, wait(50)])
  resolve()
  await Promise.all([slow, withdrawal])
  assert.deepEqual(
    keys.list(t0).map(({ kid }) => kid),
    (await store.list()).map(({ kid }) => kid),
  )
  await close()
})
