import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProfileSchema, ProfileSchemaDelta, User } from '../generated/types.ts'
import { placeOf } from '../session/place-of.ts'
import type { Session, SessionState, SessionStorage } from '../session/session.ts'
import { configurationOf } from './configuration.ts'

const schema: ProfileSchema = { version: '7', components: [], presentation: [], forms: {} }
const stored = JSON.stringify(schema)
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A session whose service has this schema, and whether its requests fail. */
function arrange(find?: () => SessionStorage | undefined) {
  const queries: unknown[] = []
  const service = { error: null as Error | null, queries, delta: undefined as ProfileSchemaDelta | undefined }
  const client = {
    async getTenantConfiguration(query?: { schemaVersion: string }) {
      queries.push(query)
      if (service.error) throw service.error
      const isCurrent = query?.schemaVersion === schema.version
      const answer = { auth: { methods: [] }, otp: { length: 6 } }
      if (query && service.delta) return { ...answer, profileSchemaDelta: service.delta }
      return { ...answer, ...(!isCurrent && { profileSchema: schema }) }
    },
  }
  const listeners = new Set<() => void>()
  const session = {
    client,
    state: { status: 'loading' } as SessionState,
    onChange(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  } as unknown as Session
  const become = async (state: SessionState) => {
    Object.assign(session, { state })
    for (const listener of listeners) listener()
    await settled()
  }
  if (find) placeOf.set(session, { find, key: 'tenantry.x' })
  return { service, queries, session, become }
}

test('requests once for any number of listeners, and again with reload, by version', async () => {
  const { session, queries } = arrange()
  const { state, reload } = configurationOf(session)
  assert.equal(configurationOf(session).state, state)
  const leave = state.subscribe(() => {})
  leave()
  for (let count = 0; count < 3; count++) state.subscribe(() => {})
  await settled()
  assert.deepEqual(queries, [undefined])
  const { configuration } = state.get()
  assert.equal(configuration?.profileSchema, schema)

  await Promise.all([reload(), reload()])
  assert.deepEqual(queries, [undefined, { schemaVersion: '7', schemaDelta: 'true' }])
  assert.equal(state.get().configuration?.profileSchema, schema)
})

test('requests a newer schema when the session names a form that is not known', async () => {
  const { session, queries, become, service } = arrange()
  const { state } = configurationOf(session)
  const leave = state.subscribe(() => {})
  await settled()
  const user = { id: 'ada' } as User
  await become({ status: 'signedIn', user })
  assert.equal(queries.length, 1)
  service.delta = {
    ...{ from: '7', to: '8', components: { set: [], remove: [], order: null }, presentation: null },
    forms: { set: { welcome: {} }, remove: [] },
  }
  await become({ status: 'signedIn', user, nextForm: 'welcome' })
  assert.deepEqual(queries.slice(1), [{ schemaVersion: '7', schemaDelta: 'true' }])
  assert.deepEqual(Object.keys(state.get().configuration!.profileSchema!.forms), ['welcome'])
  await become({ status: 'signedIn', user: { ...user }, nextForm: 'welcome' })
  leave()
  await become({ status: 'signedIn', user, nextForm: 'other' })
  assert.equal(queries.length, 2)
})

test('uses an asynchronous storage, and stores the schema under a name beside the session', async () => {
  const items = new Map<string, string>()
  const storage: SessionStorage = {
    getItem: async (key) => items.get(key) ?? null,
    setItem: async (key, value) => void items.set(key, value),
    removeItem: () => assert.fail(),
  }
  const first = arrange(() => storage)
  await configurationOf(first.session).reload()
  assert.deepEqual([...items], [['tenantry.x.profileSchema', stored]])
  const second = arrange(() => storage)
  await configurationOf(second.session).reload()
  assert.deepEqual(second.queries, [{ schemaVersion: '7', schemaDelta: 'true' }])
  assert.deepEqual(configurationOf(second.session).state.get().configuration?.profileSchema, schema)
})

test('applies a delta to the schema that it holds, and stores the result', async () => {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: () => assert.fail(),
  }
  const { session, service, queries } = arrange(() => storage)
  const { state, reload } = configurationOf(session)
  await reload()
  const city = { name: 'city', type: 'text' as const }
  service.delta = {
    ...{ from: '7', to: '8', components: { set: [city], remove: [], order: null } },
    ...{ presentation: null, forms: { set: {}, remove: [] } },
  }
  await reload()
  const next = { ...schema, version: '8', components: [...schema.components, city] }
  const { configuration } = state.get()
  assert.deepEqual(configuration?.profileSchema, next)
  assert.equal('profileSchemaDelta' in configuration!, false)
  assert.deepEqual(JSON.parse([...items.values()][0]!), next)
  assert.equal(queries.length, 2)
})

test('requests the whole schema if a delta does not fit the one that it holds', async () => {
  const { session, service, queries } = arrange()
  const { state, reload } = configurationOf(session)
  await reload()
  const components = { set: [], remove: [], order: null }
  service.delta = { from: '6', to: '8', components, presentation: null, forms: { set: {}, remove: [] } }
  await reload()
  assert.deepEqual(queries, [undefined, { schemaVersion: '7', schemaDelta: 'true' }, undefined])
  assert.deepEqual(state.get().configuration?.profileSchema, schema)
})

test('works without a storage, and with one that fails', async () => {
  const fail = () => {
    throw new Error('blocked')
  }
  const failing = { getItem: fail, setItem: async () => fail(), removeItem: fail }
  for (const find of [() => undefined, fail, () => failing]) {
    const { session, queries } = arrange(find)
    await configurationOf(session).reload()
    const { configuration, error } = configurationOf(session).state.get()
    assert.deepEqual([queries, configuration?.profileSchema, error], [[undefined], schema, undefined])
  }
})

test('keeps the configuration when a later request fails', async () => {
  const { session, service } = arrange()
  const { state, reload } = configurationOf(session)
  service.error = new Error('offline')
  await reload()
  assert.deepEqual(state.get(), { configuration: undefined, error: service.error })
  service.error = null
  await reload()
  service.error = new Error('offline again')
  await reload()
  assert.equal(state.get().error, service.error)
  assert.equal(state.get().configuration?.profileSchema, schema)
})
