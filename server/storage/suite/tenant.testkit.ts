import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PurgedRows } from '../storage.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { keyOf, messageOf, newTenant, otpOf, schemaOf, sessionOf, t0, tenantOf, userOf } from './samples.testkit.ts'

/** Tenants, their keys and settings, the caller record, and background jobs. */
export function tenantTests(open: OpenStorage): void {
  test('callerRecord reads key, tenant, session and user', async () => {
    const { storage, close } = await open()
    const tenant = tenantOf({ suspended: true, restrictedCapabilities: ['otp', 'sign_up'], revision: 7 })
    const stores = await newTenant(storage, tenant)
    const [key, user] = [
      keyOf({ expiresAt: t0 + 1 }),
      userOf({ email: 'a@b.example', restrictions: [{ capability: 'upload', reason: null, until: null }] }),
    ]
    const session = sessionOf({ userId: user.id })
    await stores.keys.add(key)
    await stores.users.add(user, 'hash')
    await stores.sessions.add(session, { refreshHash: 'refresh', amr: [] }, { userAgent: null, network: '::' })
    const known = { key, tenant, deletedAt: null }
    const withPassword = { ...user, hasPassword: true }
    assert.deepEqual(await storage.callerRecord(key.id, session.id), { ...known, session, user: withPassword })
    assert.deepEqual(await storage.callerRecord(key.id, null), { ...known, session: null, user: null })
    assert.deepEqual(await storage.callerRecord(key.id, 'unknown'), { ...known, session: null, user: null })
    assert.equal(await storage.callerRecord('unknown', session.id), null)
    await stores.sessions.revokeAllOf(user.id, t0 + 5)
    await stores.users.remove(user.id)
    const revoked = { ...session, revokedAt: t0 + 5 }
    assert.deepEqual(await storage.callerRecord(key.id, session.id), { ...known, session: revoked, user: null })
    await storage.system.tenants.markDeleted(tenant.id, t0 + 9)
    assert.equal((await storage.callerRecord(key.id, null))?.deletedAt, t0 + 9)
    await close()
  })

  test('an id with a NUL character is unknown', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    assert.equal(await storage.callerRecord('\0', '\0'), null)
    assert.equal(await users.find('\0'), null)
    await close()
  })

  test('update changes the given fields only and increases the revision', async () => {
    const { storage, close } = await open()
    const tenant = tenantOf()
    const stores = (await newTenant(storage, tenant)).tenant
    assert.deepEqual(await stores.get(), tenant)
    const renamed = { ...tenant, name: 'Renamed', revision: 2, updatedAt: t0 + 1 }
    assert.deepEqual(await stores.update({ name: 'Renamed' }, t0 + 1), renamed)
    const limited = { suspended: true, restrictedCapabilities: ['sign_in'] as const }
    const after = { ...renamed, ...limited, revision: 3, updatedAt: t0 + 2 }
    assert.deepEqual(await stores.update(limited, t0 + 2), after)
    assert.equal((await stores.update({ suspended: false }, t0 + 3))?.suspended, false)
    assert.deepEqual((await stores.get())?.restrictedCapabilities, ['sign_in'])
    await close()
  })

  test('a deleted tenant is visible to background jobs only', async () => {
    const { storage, close } = await open()
    const tenant = tenantOf()
    const stores = (await newTenant(storage, tenant)).tenant
    assert.equal(await storage.system.tenants.markDeleted(tenant.id, t0), true)
    assert.equal(await storage.system.tenants.markDeleted(tenant.id, t0), false)
    assert.equal(await stores.get(), null)
    assert.equal(await stores.configuration(), null)
    assert.equal(await stores.update({ name: 'x' }, t0), null)
    assert.equal(await stores.replaceModules({}, 1, t0), false)
    assert.equal(await stores.publishSchema(schemaOf('2', 2), 1, t0), false)
    assert.deepEqual(await storage.system.tenants.list({ limit: 10, cursor: null }), [])
    assert.equal(await storage.system.tenants.count(), 0)
    await close()
  })

  test('lists tenants in pages and counts them', async () => {
    const { storage, close } = await open()
    for (const id of ['c', 'a', 'd', 'b']) await newTenant(storage, { id })
    const { tenants } = storage.system
    const page = async (cursor: string | null) => (await tenants.list({ limit: 3, cursor })).map(({ id }) => id)
    assert.deepEqual(await page(null), ['a', 'b', 'c'])
    assert.deepEqual(await page('c'), ['d'])
    assert.equal(await tenants.count(), 4)
    await close()
  })

  test('replaceModules needs the revision that was read', async () => {
    const { storage, close } = await open()
    const { tenant } = await newTenant(storage)
    const modules = { own: { deep: ['x', null] } }
    assert.equal(await tenant.replaceModules(modules, 2, t0), false)
    const [first, second] = await Promise.all([tenant.replaceModules(modules, 1, t0), tenant.replaceModules({}, 1, t0)])
    assert.deepEqual([first, second].sort(), [false, true])
    const stored = { revision: 2, modules: first ? modules : {}, profileSchema: schemaOf('1'), building: null }
    assert.deepEqual(await tenant.configuration(), stored)
    assert.equal(await tenant.replaceModules({ security: null }, 2, t0), true)
    await close()
  })

  test('publishSchema needs the revision that was read; earlier versions stay, in order', async () => {
    const { storage, close } = await open()
    const { tenant } = await newTenant(storage)
    const [one, two, three] = [schemaOf('1', 1), schemaOf('2', 2), schemaOf('3', 3)]
    assert.equal(await tenant.publishSchema(two, 1, t0), true)
    assert.equal(await tenant.publishSchema(three, 1, t0), false)
    assert.equal(await tenant.publishSchema(three, 2, t0), true)
    assert.deepEqual(await Array.fromAsync(tenant.schemasAfter(1)), [two, three])
    assert.deepEqual(await tenant.versionsBefore(3, 9), ['2', '1'])
    assert.deepEqual(await tenant.versionsBefore(3, 1), ['2'])
    assert.deepEqual(await tenant.versionsBefore(1, 9), [])
    assert.equal(await tenant.publishSchema({ ...one, publishedAt: t0 + 9 }, 3, t0), true)
    assert.deepEqual((await tenant.configuration())?.profileSchema, one)
    assert.deepEqual(await tenant.findSchema('3'), three)
    assert.equal(await tenant.findSchema('4'), null)
    await close()
  })

  test('reads every version after another in order, a few at once', async () => {
    const { storage, close } = await open()
    const { tenant } = await newTenant(storage)
    for (let ordinal = 2; ordinal <= 25; ordinal++) {
      assert.ok(await tenant.publishSchema(schemaOf(`${ordinal}`, ordinal), ordinal - 1, t0))
    }
    const ordinals = async (after: number) =>
      (await Array.fromAsync(tenant.schemasAfter(after))).map(({ ordinal }) => ordinal)
    for (const after of [0, 4, 5, 6, 15, 24, 25]) {
      assert.deepEqual(
        await ordinals(after),
        Array.from({ length: 25 - after }, (_, index) => after + index + 1),
      )
    }
    await close()
  })

  test('lists versions in pages, newest first, and finds one with its state', async () => {
    const { storage, close } = await open()
    const { tenant } = await newTenant(storage)
    const anonymous = { ...schemaOf('old', 3), publishedBy: null }
    for (const [index, version] of [schemaOf('2', 2), anonymous, schemaOf('4', 4)].entries()) {
      assert.ok(await tenant.publishSchema(version, index + 1, t0))
    }
    const page = async (before: number) =>
      (await tenant.listVersions({ limit: 3, before })).map(({ version }) => version)
    assert.deepEqual(await page(Number.MAX_SAFE_INTEGER), ['4', 'old', '2'])
    assert.deepEqual(await page(2), ['1'])
    const state = { state: null, conflicts: null }
    const [, old] = await tenant.listVersions({ limit: 2, before: 9 })
    const content = { fields: 1, migrations: 0 }
    assert.deepEqual(old, { version: 'old', ordinal: 3, publishedAt: t0, publishedBy: null, ...content, ...state })
    assert.deepEqual(await tenant.findVersion('4'), { ...schemaOf('4', 4), ...state })
    assert.equal(await tenant.findVersion('5'), null)
    await close()
  })

  test('lists keys, revokes them once, and never extends them', async () => {
    const { storage, close } = await open()
    const { keys } = await newTenant(storage)
    const [one, two, past] = [
      keyOf({ id: 'k1' }),
      keyOf({ id: 'k2', expiresAt: t0 + 50 }),
      keyOf({ id: 'k3', expiresAt: t0 }),
    ]
    for (const key of [two, one, past]) await keys.add(key)
    assert.deepEqual(await keys.list({ limit: 2, cursor: null }), [one, two])
    assert.deepEqual(await keys.list({ limit: 2, cursor: 'k2' }), [past])
    assert.equal(await keys.expireAt('k1', t0 + 20, t0), true)
    assert.equal(await keys.expireAt('k2', t0 + 90, t0), true)
    assert.equal((await keys.find('k1'))?.expiresAt, t0 + 20)
    assert.deepEqual(await keys.find('k2'), two)
    assert.equal(await keys.expireAt('k3', t0 + 90, t0), false)
    assert.equal(await keys.revoke('k3', t0), false)
    assert.equal(await keys.revoke('k1', t0 + 1), true)
    assert.equal(await keys.revoke('k1', t0 + 2), false)
    assert.equal((await keys.find('k1'))?.revokedAt, t0 + 1)
    assert.equal(await keys.find('unknown'), null)
    await storage.system.tenants.touchKeys(
      new Map([
        ['k1', t0 + 5],
        ['k2', t0 + 6],
      ]),
    )
    await storage.system.tenants.touchKeys(new Map([['k1', t0 + 4]]))
    assert.equal((await keys.find('k1'))?.lastUsedAt, t0 + 5)
    await close()
  })

  test('purges rows that expired before the given time, in batches', async () => {
    const { storage, dump, close } = await open()
    const { otps, sessions, usedIdTokens, idempotency } = await newTenant(storage)
    for (let ended = 0; ended < 5; ended++) {
      await otps.issue(otpOf({ expiresAt: t0 + ended }), messageOf())
      await sessions.add(
        sessionOf({ expiresAt: t0 + ended }),
        { refreshHash: `refresh ${ended}`, amr: [] },
        { userAgent: null, network: '' },
      )
      await usedIdTokens.add(`token ${ended}`, t0 + ended)
      await idempotency.add({ id: `${ended}`, subjectId: null, sealed: '', expiresAt: t0 + ended }, t0)
    }
    const purge = async (kind: PurgedRows, before: number) => {
      let batches = 1
      while (await storage.system.purge(kind, before, 2)) batches++
      return batches
    }
    assert.equal(await purge('otps', t0 + 3), 2, '3 rows, two at a time')
    assert.equal(await purge('messages', t0 + 2), 2, '2 rows')
    assert.equal(await purge('sessions', t0 + 4), 3, '4 rows')
    assert.equal(await purge('usedIdTokens', t0 + 1), 1, '1 row')
    assert.equal(await purge('idempotencyKeys', t0 + 2), 2, '2 rows')
    const { otps: otpRows, outbox, sessions: sessionRows, used_id_tokens, idempotency_keys } = await dump()
    const ends = (rows?: readonly Readonly<Record<string, unknown>>[]) =>
      rows?.map((row) => Number(row['expires_at']) - t0).sort()
    assert.deepEqual([ends(otpRows), ends(outbox), ends(sessionRows)], [[3, 4], [2, 3, 4], [4]])
    assert.deepEqual(
      [ends(used_id_tokens), ends(idempotency_keys)],
      [
        [1, 2, 3, 4],
        [2, 3, 4],
      ],
    )
    await close()
  })
}
