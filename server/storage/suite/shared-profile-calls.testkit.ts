import type { StoredProfile } from '../../profiles/profile-store.ts'
import type { Stores } from '../storage.ts'
import type { SharedCall } from './isolation-calls.testkit.ts'
import { queuedEventOf, schemaOf, t0 } from './samples.testkit.ts'
import { idsOf, shared } from './two-tenants.testkit.ts'

const a = idsOf('A')
const b = idsOf('B')
const later = t0 + 1000
const all = { limit: 100, cursor: null }

/** The shared user's other entries in the order of the index. */
const searchedEntries = [
  { field: 'age', value: '1' },
  { field: 'city', value: shared.city },
]
const sharedEntry = { field: shared.indexKey, value: shared.indexValue }

/** Stores the profile again, so that its revision is that of the other tenant's. */
async function storedAgain(profiles: Stores['profiles']): Promise<StoredProfile> {
  const stored = (await profiles.find(shared.user))!
  await profiles.remove(shared.user)
  await profiles.save(stored, null)
  return (await profiles.find(shared.user))!
}

/** Calls on profiles and their index. */
export const sharedProfileCalls: Record<string, SharedCall> = {
  'profiles.markUnproven': [({ profiles }) => profiles.markUnproven(shared.user), undefined],
  'profiles.list': [
    async ({ profiles }) => (await profiles.list(all)).map(({ values }) => values['nickName']),
    ['B', 'B'],
  ],
  'profiles.listBetween': [
    async ({ profiles }) =>
      (await profiles.listBetween(shared.user, shared.user)).map(({ values }) => values['nickName']),
    ['B'],
  ],
  'profiles.countByVersion': [async ({ profiles }) => [...(await profiles.countByVersion())], [['1', 2]]],
  'profiles.save': [
    async ({ profiles }) => {
      const stored = await profiles.find(shared.user)
      return profiles.save({ ...stored!, values: { nickName: 'B again' } }, stored)
    },
    true,
  ],
  'profiles.replaceMigrated': [
    async ({ profiles }) => {
      const stored = await profiles.find(shared.user)
      return profiles.save({ ...stored!, schemaVersion: 'another' }, stored)
    },
    true,
  ],
  'profiles.save with an event': [
    async ({ profiles }) => {
      const stored = await storedAgain(profiles)
      return profiles.save({ ...stored, values: { nickName: 'B, recorded' } }, stored, queuedEventOf())
    },
    true,
  ],
  'profiles.replaceMigrated with an event': [
    async ({ profiles }) => {
      const stored = await storedAgain(profiles)
      return profiles.save({ ...stored, schemaVersion: 'recorded' }, stored, queuedEventOf())
    },
    true,
  ],
  'profiles.listIndexStates': [
    async ({ profiles }) => (await profiles.listIndexStates(all)).map(({ userId }) => userId),
    [shared.user, b.user],
  ],
  'profiles.markIndexed': [async ({ profiles }) => profiles.markIndexed((await profiles.find(shared.user))!, 4), true],
  'profiles.count': [({ profiles }) => profiles.count(1), 2],
  'profiles.count in one step': [({ profiles }) => profiles.count(9), 2],
  'profiles.countUpTo': [({ profiles }) => profiles.countUpTo(9), 2],
  'profileIndex.entriesOf': [
    ({ profileIndex }) => profileIndex.entriesOf(shared.user),
    { unique: [sharedEntry], search: [...searchedEntries, sharedEntry] },
  ],
  'profileIndex.holders': [
    ({ profileIndex }) => profileIndex.holders([sharedEntry]),
    [{ ...sharedEntry, userId: shared.user }],
  ],
  'profileIndex.claim: a value of another tenant’s user is free': [
    ({ profileIndex }) => profileIndex.claim([{ field: a.indexKey, value: a.indexValue, userId: b.user }]),
    [],
  ],
  'profileIndex.addSearch': [
    ({ profileIndex }) => profileIndex.addSearch([{ field: a.indexKey, value: a.indexValue, userId: a.user }]),
    undefined,
  ],
  'profileIndex.nextField': [({ profileIndex }) => profileIndex.nextField(a.indexKey), b.indexKey],
  'profileIndex.nextField of another tenant': [
    async ({ profileIndex }) => {
      await profileIndex.removeAllOf(a.user)
      await profileIndex.removeField(a.indexKey, 9)
      return profileIndex.nextField(shared.indexKey)
    },
    b.indexKey,
  ],
  'profileIndex.removeField': [
    async ({ profileIndex }) => {
      const more = await profileIndex.removeField(shared.indexKey, 1)
      return [more, await profileIndex.entriesOf(shared.user)]
    },
    [true, { unique: [], search: searchedEntries }],
  ],
  'profileIndex.release': [
    async ({ profileIndex }) => {
      const entries = [{ ...sharedEntry, userId: shared.user }]
      await profileIndex.claim(entries)
      await profileIndex.addSearch(entries)
      await profileIndex.release(entries)
      return profileIndex.removeSearch(entries)
    },
    undefined,
  ],
  'profileIndex.replaceSearch': [
    async ({ profileIndex }) => {
      const replaced = { field: 'city', value: 'replaced', userId: shared.user, before: shared.city }
      await profileIndex.replaceSearch([replaced])
      const { search } = await profileIndex.entriesOf(shared.user)
      return search.filter(({ value }) => value === 'replaced').length
    },
    1,
  ],
  'profileIndex.removeAllOf': [({ profileIndex }) => profileIndex.removeAllOf(shared.user), undefined],
}

/** Calls on the tenant itself and its versions of the profile schema. */
export const sharedTenantCalls: Record<string, SharedCall> = {
  'tenant.get': [async ({ tenant }) => (await tenant.get())?.id, 'B'],
  'tenant.configuration': [async ({ tenant }) => (await tenant.configuration())?.modules?.['tenant'], 'B'],
  'tenant.configuration has its own schema': [
    async ({ tenant }) => (await tenant.configuration())?.profileSchema.schema.components[0]?.label,
    'B',
  ],
  'tenant.findSchema': [
    async ({ tenant }) => (await tenant.findSchema(shared.schemaVersion))?.schema.components[0]?.label,
    'B',
  ],
  'tenant.findVersion': [
    async ({ tenant }) => (await tenant.findVersion(shared.schemaVersion))?.schema.components[0]?.label,
    'B',
  ],
  'tenant.listVersions': [
    async ({ tenant }) => (await tenant.listVersions({ limit: 9, before: 9 })).map(({ version }) => version),
    [shared.buildingVersion, shared.failedVersion, shared.schemaVersion, b.schemaVersion],
  ],
  'tenant.versionsBefore': [async ({ tenant }) => (await tenant.versionsBefore(9, 9)).length, 2],
  'tenant.configuration has its own building version': [
    async ({ tenant }) => (await tenant.configuration())?.building?.schema.components[0]?.label,
    'B',
  ],
  'tenant.schemasAfter': [async ({ tenant }) => (await Array.fromAsync(tenant.schemasAfter(0))).length, 2],
  'tenant.lastOrdinal': [({ tenant }) => tenant.lastOrdinal(), 4],
  'tenant.lockRevision': [
    async ({ tenant }) => {
      // Another revision than the other tenant's.
      const changed = await tenant.update({}, later)
      return (await tenant.lockRevision()) === changed?.revision
    },
    true,
  ],
  'tenant.finishBuild': [({ tenant }) => tenant.finishBuild(schemaOf(shared.buildingVersion, 4), later), true],
  'tenant.startBuild': [
    async ({ tenant }) => {
      await tenant.finishBuild(schemaOf(shared.buildingVersion, 4), later)
      return tenant.startBuild(schemaOf(shared.failedVersion, 5), (await tenant.get())!.revision, later)
    },
    true,
  ],
  'tenant.failBuild': [
    async ({ tenant }) => {
      const { building } = (await tenant.configuration())!
      return tenant.failBuild(building!, [], later)
    },
    true,
  ],
  'tenant.update': [async ({ tenant }) => (await tenant.update({ suspended: true }, later))?.id, 'B'],
  'tenant.publishSchema': [
    async ({ tenant }) => {
      // A sample of the calls may have started a build that it does not end.
      const { building } = (await tenant.configuration())!
      if (building !== null) await tenant.failBuild(building, [], later)
      return tenant.publishSchema(schemaOf('2', 6), (await tenant.get())!.revision, later)
    },
    true,
  ],
  'tenant.replaceModules': [
    async ({ tenant }) => tenant.replaceModules({}, (await tenant.get())!.revision, later),
    true,
  ],
}
