import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProfileSchema, StoredProfileSchema } from '../../contract/profile-schema.ts'
import { publicSchema } from '../profiles/schema/public-schema.ts'
import { type ConfigurationDocument, renderConfiguration } from './configuration-document.ts'
import { DerivedConfigurationCache } from './derived-configuration-cache.ts'
import type { Wanted } from './derived-configurations.ts'
import type { PublishedVersion, TenantStore } from './tenant.ts'
import { defaultModules, readConfiguration } from './tenant-configuration.ts'
import type { TenantSnapshot } from './tenant-snapshot.ts'

const texts = (word: string, languages: number) =>
  Object.fromEntries(Array.from({ length: languages }, (_, index) => [`l${letters(index)}`, `${word} ${index}`]))
const letters = (index: number): string =>
  String.fromCharCode(97 + (index % 26), 97 + (Math.floor(index / 26) % 26), 97 + Math.floor(index / 676))

/** Version `v<n>` has a component more than the one before, each with texts in 40 languages. */
function versionOf(ordinal: number): PublishedVersion {
  const components = Array.from({ length: 8 + ordinal }, (_, index) => ({
    name: `f${index}`,
    type: 'text' as const,
    label: { default: `Field ${index}`, ...texts(`f${index}`, 40) },
  }))
  const schema: StoredProfileSchema = {
    version: `v${ordinal}`,
    components,
    presentation: [],
    forms: {},
    migrations: [],
  }
  return { ordinal, schema, publishedAt: 0, publishedBy: null }
}

function tenantAt(ordinal: number, id = 'a') {
  const profileSchema = versionOf(ordinal)
  const configuration = readConfiguration(defaultModules)
  const snapshot = { tenant: { id }, configuration, profileSchema } as TenantSnapshot
  const plain = renderConfiguration(configuration, { profileSchema: publicSchema(profileSchema.schema) })!
  let reads = 0
  let fails = false
  const read = <T>(value: T): Promise<T> => {
    reads++
    return fails ? Promise.reject(new Error('The database is down')) : Promise.resolve(value)
  }
  const store = {
    versionsBefore: (before: number, limit: number) =>
      read(Array.from({ length: Math.min(limit, before - 1) }, (_, index) => `v${before - 1 - index}`)),
    findSchema: (version: string) => read(versionOf(Number(version.slice(1)))),
  } as unknown as TenantStore
  return {
    plain,
    find: (cache: DerivedConfigurationCache, wanted: Wanted) => cache.find(snapshot, plain, wanted, store),
    reads: () => reads,
    fail: (how: boolean) => {
      fails = how
    },
  }
}

const bodyOf = ({ body }: ConfigurationDocument): { profileSchema?: ProfileSchema; profileSchemaDelta?: object } =>
  JSON.parse(body.toString())

test('thousands of different values neither grow memory nor read the database', async () => {
  const cache = new DerivedConfigurationCache()
  const tenant = tenantAt(30)
  for (let index = 0; index < 5_000; index++) {
    const wanted = { from: `x${index}`, locale: `l${letters(index)}-${index}` }
    const document = await tenant.find(cache, wanted)
    assert.ok(bodyOf(document).profileSchema !== undefined)
  }
  assert.equal(tenant.reads(), 1)
  assert.ok(cache.bytes < 22 * tenant.plain.body.length, `${cache.bytes}`)
})

test('reads each of the last 20 versions once, and a version before them not at all', async () => {
  const cache = new DerivedConfigurationCache()
  const tenant = tenantAt(30)
  for (let round = 0; round < 3; round++) {
    for (let ordinal = 1; ordinal < 30; ordinal++) {
      for (const locale of [undefined, 'laaa', 'none']) {
        const { profileSchemaDelta } = bodyOf(await tenant.find(cache, { from: `v${ordinal}`, locale }))
        assert.equal(profileSchemaDelta !== undefined, ordinal >= 11, `v${ordinal}`)
      }
    }
  }
  assert.equal(tenant.reads(), 20)
})

test('keeps the documents of 8 deltas and 16 languages', async () => {
  const cache = new DerivedConfigurationCache()
  const tenant = tenantAt(30)
  const first = await tenant.find(cache, { from: 'v29' })
  for (let ordinal = 22; ordinal < 29; ordinal++) await tenant.find(cache, { from: `v${ordinal}` })
  assert.equal(await tenant.find(cache, { from: 'v29' }), first)
  for (let ordinal = 20; ordinal < 28; ordinal++) await tenant.find(cache, { from: `v${ordinal}` })
  const again = await tenant.find(cache, { from: 'v29' })
  assert.notEqual(again, first)
  assert.deepEqual(again, first)

  const french = await tenant.find(cache, { locale: 'laaa-CA' })
  for (let index = 1; index < 16; index++) await tenant.find(cache, { locale: `l${letters(index)}` })
  assert.equal(await tenant.find(cache, { locale: 'LAAA' }), french)
  for (let index = 16; index < 32; index++) await tenant.find(cache, { locale: `l${letters(index)}` })
  assert.notEqual(await tenant.find(cache, { locale: 'laaa' }), french)
})

test('names the language of the texts, and none for the default ones', async () => {
  const cache = new DerivedConfigurationCache()
  const tenant = tenantAt(30)
  assert.equal((await tenant.find(cache, { locale: 'LAAA-x' })).contentLanguage, 'laaa')
  assert.equal((await tenant.find(cache, { from: 'v29', locale: 'LAAA-x' })).contentLanguage, 'laaa')
  assert.equal((await tenant.find(cache, { locale: 'none' })).contentLanguage, undefined)
  assert.equal((await tenant.find(cache, { from: 'v29' })).contentLanguage, undefined)
})

test('drops the least recently used tenants when the cache is full', async () => {
  const cache = new DerivedConfigurationCache(1_000_000)
  const tenants = Array.from({ length: 40 }, (_, index) => tenantAt(30, `t${index}`))
  for (const tenant of tenants) {
    await tenant.find(cache, { locale: 'laaa' })
    await tenant.find(cache, { from: 'v29' })
    assert.ok(cache.bytes <= 1_000_000)
  }
  assert.ok(cache.bytes > 700_000)
  await tenants.at(-1)!.find(cache, { from: 'v29' })
  assert.equal(tenants.at(-1)!.reads(), 2)
  await tenants[0]!.find(cache, { from: 'v29' })
  assert.equal(tenants[0]!.reads(), 4)
})

test('concurrent requests share one read, and a failed read is repeated', async () => {
  const cache = new DerivedConfigurationCache()
  const tenant = tenantAt(30)
  tenant.fail(true)
  await assert.rejects(tenant.find(cache, { from: 'v29' }))
  tenant.fail(false)
  await Promise.all(Array.from({ length: 50 }, () => tenant.find(cache, { from: 'v29' })))
  assert.equal(tenant.reads(), 3)
  tenant.fail(true)
  await assert.rejects(tenant.find(cache, { from: 'v28' }))
  tenant.fail(false)
  assert.ok(bodyOf(await tenant.find(cache, { from: 'v28' })).profileSchemaDelta !== undefined)
})

test('sends the delta only when it is smaller than 60 % of the schema', async () => {
  const cache = new DerivedConfigurationCache()
  const tenant = tenantAt(19)
  const sent = new Set<boolean>()
  for (let ordinal = 1; ordinal < 19; ordinal++) {
    for (const locale of [undefined, 'laaa', 'none']) {
      const { profileSchemaDelta, profileSchema } = bodyOf(await tenant.find(cache, { from: `v${ordinal}`, locale }))
      const whole = bodyOf(await tenant.find(cache, { locale })).profileSchema
      sent.add(profileSchemaDelta !== undefined)
      if (profileSchemaDelta === undefined) assert.deepEqual(profileSchema, whole)
      else assert.ok(JSON.stringify(profileSchemaDelta).length < 0.6 * JSON.stringify(whole).length)
    }
  }
  assert.deepEqual([...sent].sort(), [false, true])
})
