import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TenantryStorageError } from '../errors.ts'
import type { SessionStorage } from './session.ts'
import { createSessionStore, defaultStorage } from './session-store.ts'
import type { StoredSession } from './stored-session.ts'

const session = (accessToken: string): StoredSession => ({
  accessToken,
  tokenType: 'Bearer',
  expiresIn: 900,
  refreshToken: `rt_${accessToken}`,
  receivedAt: 0,
  isNewUser: false,
  user: {
    ...{ id: 'ada', guest: false, methods: [], email: null, emailVerified: false },
    ...{ phone: null, phoneVerified: false, createdAt: '2026-01-31T12:00:00.000Z' },
  },
})

/** A storage of which single methods can fail. */
function storageWith(parts: Partial<SessionStorage> = {}) {
  const items = new Map<string, string>()
  const errors: TenantryStorageError[] = []
  const storage: SessionStorage = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
    ...parts,
  }
  const store = createSessionStore(
    () => storage,
    'key',
    (error) => errors.push(error),
  )
  return { store, items, errors, storage }
}

const fail = (): never => {
  throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
}

test('stores, reads and removes the session', async () => {
  const { store, items, errors } = storageWith()
  assert.equal(await store.read(), null)
  await store.write(session('a'))
  assert.deepEqual(await store.read(), session('a'))
  await store.write(null)
  assert.deepEqual([await store.read(), items.size, errors], [null, 0, []])
})

test('removes nothing if the storage answers undefined for no item, as cookies do on a server', async () => {
  const { store, errors } = storageWith({ getItem: () => undefined, removeItem: fail })
  assert.equal(await store.read(), null)
  assert.deepEqual(errors, [])
})

for (const content of [
  '',
  'x',
  'null',
  '{}',
  '[]',
  '{"accessToken":1}',
  '{"user":null}',
  JSON.stringify({ ...session('a'), expiresIn: '9' }),
]) {
  test(`removes malformed content: ${JSON.stringify(content).slice(0, 30)}`, async () => {
    const { store, items, errors } = storageWith()
    items.set('key', content)
    assert.deepEqual([await store.read(), items.size, errors], [null, 0, []])
  })
}

test('keeps the session in memory when the storage is full, and removes the one that was used', async () => {
  const { store, items, errors, storage } = storageWith()
  await store.write(session('a'))
  const { setItem } = storage
  storage.setItem = fail
  await store.write(session('b'))
  await store.write(session('c'))
  assert.deepEqual([await store.read(), items.size, errors.length], [session('c'), 0, 1])
  assert.match(errors[0]!.message, /kept in memory.*Allow cookies/)
  assert.equal((errors[0]!.cause as Error).name, 'QuotaExceededError')
  storage.setItem = setItem
  await store.write(session('d'))
  assert.deepEqual([await store.read(), items.size], [session('d'), 1])
})

test('keeps the session in memory when every access fails', async () => {
  for (const parts of [
    { getItem: fail },
    { getItem: fail, setItem: fail, removeItem: fail },
    { getItem: () => Promise.reject(new Error('closed')) },
  ]) {
    const { store, errors } = storageWith(parts)
    assert.equal(await store.read(), null)
    await store.write(session('a'))
    assert.deepEqual(await store.read(), session('a'))
    await store.write(null)
    assert.deepEqual([await store.read(), errors.length], [null, 1])
  }
})

test('keeps the session in memory when the browser forbids to name localStorage', async () => {
  const errors: unknown[] = []
  const store = createSessionStore(fail, 'key', (error) => errors.push(error))
  await store.write(session('a'))
  assert.deepEqual([await store.read(), errors.length], [session('a'), 1])
})

test('keeps the session in memory when the report of the failure throws', async (t) => {
  const uncaught: unknown[] = []
  t.mock.method(globalThis, 'queueMicrotask', (task: () => void) => {
    try {
      task()
    } catch (error) {
      uncaught.push(error)
    }
  })
  const store = createSessionStore(fail, 'key', () => {
    throw new Error('not mounted')
  })
  await store.write(session('a'))
  assert.deepEqual([await store.read(), uncaught], [session('a'), [new Error('not mounted')]])
})

test('writes to an asynchronous storage in order', async () => {
  let delay = 30
  const { store, items } = storageWith({
    setItem: async (key, value) => {
      delay -= 10
      await new Promise((resolve) => setTimeout(resolve, delay))
      items.set(key, value)
    },
  })
  await Promise.all([store.write(session('a')), store.write(session('b')), store.write(session('c'))])
  assert.deepEqual(await store.read(), session('c'))
  assert.deepEqual(JSON.parse(items.get('key')!), session('c'))
})

test('finds no storage on a server that has localStorage but no page, such as Deno', (t) => {
  const names = { location: undefined, localStorage: {} }
  Object.assign(globalThis, names)
  t.after(() => {
    for (const name of Object.keys(names)) Reflect.deleteProperty(globalThis, name)
  })
  assert.equal(defaultStorage(), undefined)
})
