import assert from 'node:assert/strict'
import type { Storage, TenantStorage } from '../storage.ts'
import type { Dump, OpenedStorage } from './opened-storage.ts'
import { claim, keyOf, messageOf, profileOf, schemaOf, sessionOf, t0, tenantOf, userOf } from './samples.ts'
import { idsOf, shared, sharedPhoneOf } from './two-tenants.ts'

const a = idsOf('A')
const b = idsOf('B')
const reset = 'reset_password'
const later = t0 + 1000
const notApplied = { applied: false, otp: null }
const all = { limit: 100, cursor: null }

/** Every call of tenant B that names a row of tenant A: what must come back is what an unknown id gets. */
const foreignCalls: Record<string, [call: (tenantB: TenantStorage) => Promise<unknown>, answer: unknown]> = {
  'otps.find': [({ otps }) => otps.find(a.pendingOtp, reset), null],
  'otps.resend': [({ otps }) => otps.resend(a.pendingOtp, reset, later, messageOf()), notApplied],
  'otps.verify': [({ otps }) => otps.verify(a.pendingOtp, reset, later), notApplied],
  'otps.countWrongCode': [({ otps }) => otps.countWrongCode(a.pendingOtp, reset, later), notApplied],
  'otps.consume': [({ otps }) => otps.consume(a.verifiedOtp, reset, later), notApplied],
  'otps.cancelLive': [({ otps }) => otps.cancelLive(a.user, null, later), undefined],
  'otps.cancelLive of a scope': [({ otps }) => otps.cancelLive(a.user, reset, later), undefined],
  'messages.latestOf': [({ messages }) => messages.latestOf(a.pendingOtp), null],
  'messages.find': [({ messages }) => messages.find(a.notice), null],
  'messages.retry': [({ messages }) => messages.retry(a.notice, later), { applied: false, message: null }],
  'messages.list': [({ messages }) => messages.list({ ...all, recipient: a.recipient }), []],
  'messages.list of an OTP': [({ messages }) => messages.list({ ...all, otpId: a.unsentOtp }), []],
  'messages.list of unsent': [({ messages }) => messages.list({ ...all, state: 'failed', recipient: a.recipient }), []],
  'messages.list of waiting': [
    ({ messages }) => messages.list({ ...all, state: 'queued', recipient: `A ${a.email}` }),
    [],
  ],
  'users.find': [({ users }) => users.find(a.user), null],
  'users.findByEmail': [({ users }) => users.findByEmail(a.email), null],
  'users.list by e-mail': [({ users }) => users.list({ limit: 9, cursor: null, email: a.email }), []],
  'users.resetPassword': [({ users }) => users.resetPassword(a.user, 'new', later), false],
  'users.rehashPassword': [({ users }) => users.rehashPassword(a.user, a.passwordHash, 'new'), undefined],
  'users.confirmPassword': [({ users }) => users.confirmPassword(a.user, a.passwordHash), false],
  'users.markVerified e-mail': [({ users }) => users.markVerified(a.user, { email: a.email }, later), false],
  'users.markVerified phone': [({ users }) => users.markVerified(a.user, { phone: a.phone }, later), false],
  'users.restrict': [({ users }) => users.restrict(a.user, {}, later), null],
  'users.remove': [({ users }) => users.remove(a.user), false],
  'users.add: only the phone is taken here': [
    ({ users }) => users.add(userOf({ email: a.email, phone: b.phone }), null),
    'phone',
  ],
  'users.add: only the id is taken here': [
    ({ users }) => users.add(userOf({ id: b.user, phone: a.phone }), null).catch(({ message }) => message),
    `There is a user ${b.user} already`,
  ],
  'sessions.revokeAllOf': [({ sessions }) => sessions.revokeAllOf(a.user, later), undefined],
  'profiles.find': [({ profiles }) => profiles.find(a.user), null],
  'profiles.save': [
    ({ profiles }) => {
      const profile = profileOf({ id: a.profile, userId: a.user, revision: 1 })
      return profiles.save({ ...profile, values: { nickName: 'taken' } }, profile)
    },
    false,
  ],
  'profiles.remove': [({ profiles }) => profiles.remove(a.user), undefined],
  'keys.find': [({ keys }) => keys.find(a.key), null],
  'keys.revoke': [({ keys }) => keys.revoke(a.key, later), false],
  'keys.expireAt': [({ keys }) => keys.expireAt(a.key, later, later), false],
  'tenant.findSchema': [({ tenant }) => tenant.findSchema(a.schemaVersion), null],
}

/** Calls of tenant B that name rows it has itself under ids that A has too, with what must come back. */
const sharedCalls: Record<string, [call: (tenantB: TenantStorage) => Promise<unknown>, answer: unknown]> = {
  'otps.find': [async ({ otps }) => (await otps.find(shared.pendingOtp, reset))?.recipient, `B ${shared.email}`],
  'otps.resend': [
    async ({ otps }) => (await otps.resend(shared.pendingOtp, reset, later, messageOf())).otp?.recipient,
    `B ${shared.email}`,
  ],
  'otps.countWrongCode': [
    async ({ otps }) => (await otps.countWrongCode(shared.pendingOtp, reset, later)).otp?.recipient,
    `B ${shared.email}`,
  ],
  'otps.consume': [async ({ otps }) => (await otps.consume(shared.verifiedOtp, reset, later)).applied, true],
  'otps.cancelLive': [({ otps }) => otps.cancelLive(shared.user, null, later), undefined],
  'messages.find': [async ({ messages }) => (await messages.find(shared.notice))?.recipient, b.recipient],
  'messages.list': [
    async ({ messages }) => (await messages.list({ ...all, otpId: shared.unsentOtp })).map((one) => one.recipient),
    [b.recipient],
  ],
  'messages.retry': [async ({ messages }) => (await messages.retry(shared.notice, later)).applied, true],
  'messages.retry of an OTP that is pending elsewhere alone': [
    async ({ messages }) => (await messages.retry(`message-${shared.unsentOtp}`, later)).applied,
    false,
  ],
  'smsSpending.spend': [({ smsSpending }) => smsSpending.spend(shared.day, 2), true],
  'smsSpending.spend beyond its own budget': [({ smsSpending }) => smsSpending.spend(shared.day, 2), false],
  'smsSpending.giveBack': [({ smsSpending }) => smsSpending.giveBack(shared.day), undefined],
  'users.findByEmail': [async ({ users }) => (await users.findByEmail(shared.email))?.user.phone, sharedPhoneOf('B')],
  'users.list': [
    async ({ users }) => (await users.list({ limit: 9, cursor: null })).map(({ id }) => id),
    [shared.user, b.user],
  ],
  'users.restrict': [async ({ users }) => (await users.restrict(shared.user, {}, later))?.id, shared.user],
  'sessions.revokeAllOf': [({ sessions }) => sessions.revokeAllOf(shared.user, later), undefined],
  'profiles.list': [
    async ({ profiles }) => (await profiles.list({ limit: 9, cursor: null })).map(({ values }) => values['nickName']),
    ['B', 'B'],
  ],
  'profiles.list of other versions': [
    async ({ profiles }) => (await profiles.list({ limit: 9, cursor: null, notVersion: '2' })).length,
    2,
  ],
  'profiles.save': [
    async ({ profiles }) => {
      const stored = await profiles.find(shared.user)
      return profiles.save({ ...stored!, values: { nickName: 'B again' } }, stored)
    },
    true,
  ],
  'keys.list': [async ({ keys }) => (await keys.list({ limit: 9, cursor: null })).map(({ id }) => id), [b.key]],
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
  'tenant.schemasAfter': [async ({ tenant }) => (await tenant.schemasAfter(0)).length, 2],
  'tenant.update': [async ({ tenant }) => (await tenant.update({ suspended: true }, later))?.id, 'B'],
  'tenant.replaceModules': [({ tenant }) => tenant.replaceModules({}, 3, later), true],
  'tenant.publishSchema': [({ tenant }) => tenant.publishSchema(schemaOf('2', 3), 4, later), true],
  'keys.add': [({ keys }) => keys.add(keyOf({ id: 'another key' })), undefined],
  'sessions.add': [
    ({ sessions }) => sessions.add(sessionOf(), { refreshHash: 'hash', amr: [] }, { userAgent: null, network: '' }),
    undefined,
  ],
}

/** Tenant B asks with A's ids: nothing is found, nothing changes anywhere. Wants `seedTwoTenants`. */
export async function checkForeignIds({ storage, dump }: OpenedStorage): Promise<void> {
  const tenantB = storage.forTenant('B')
  const before = await dump()
  for (const [name, [call, answer]] of Object.entries(foreignCalls)) {
    assert.deepEqual(await call(tenantB), answer, name)
    assert.deepEqual(await tenantB.write((tx) => call(tx as unknown as TenantStorage)), answer, `${name} in a write`)
  }
  assert.deepEqual(await dump(), before)
  assert.equal((await storage.gate(b.key, a.session))?.session, null)
  assert.deepEqual(await dump(), before)
}

/** Tenant B works on rows whose ids A has too: it meets its own, and no row of A changes. Wants `seedTwoTenants`. */
export async function checkSharedIds({ storage, dump }: OpenedStorage): Promise<void> {
  await checkGate(storage)
  await checkClaimedCodes(storage)
  await checkInbox(storage)
  const [tenantA, tenantB] = [storage.forTenant('A').tenant, storage.forTenant('B').tenant]
  for (const [name, [call, answer]] of Object.entries(sharedCalls)) {
    // At the same revision a guard by revision alone would let B's change at A's row, too.
    while ((await tenantA.get())!.revision < (await tenantB.get())!.revision) await tenantA.update({}, t0)
    const before = rowsOf('A', await dump())
    assert.deepEqual(await call(storage.forTenant('B')), answer, name)
    assert.deepEqual(rowsOf('A', await dump()), before, `${name} leaves the other tenant's rows alone`)
  }
}

/** Tenant B is deleted and erased to the last row; no row of A changes. Wants `seedTwoTenants`. */
export async function checkErasure({ storage, dump }: OpenedStorage): Promise<void> {
  const before = rowsOf('A', await dump())
  await storage.system.tenants.add(tenantOf({ id: 'C' }), {}, schemaOf('1'))
  assert.equal(await storage.forTenant('B').tenant.markDeleted(later), true)
  await storage.forTenant('C').tenant.markDeleted(later + 1)
  assert.equal(await storage.system.tenants.allowsOrigin(b.origin), false)
  assert.equal(await storage.system.tenants.allowsOrigin(a.origin), true)
  while (await storage.system.tenants.eraseDeleted(1));
  const after = await dump()
  assert.deepEqual(rowsOf('A', after), before)
  for (const erased of ['B', 'C']) assert.deepEqual(Object.values(rowsOf(erased, after)).flat(), [])
}

async function checkGate(storage: Storage): Promise<void> {
  const gate = await storage.gate(b.key, shared.session)
  assert.equal(gate?.tenant.id, 'B')
  assert.equal(gate?.user?.phone, sharedPhoneOf('B'))
  assert.equal((await storage.gate(b.key, b.session))?.user?.email, b.email)
}

/** Each message carries the code of its own tenant's OTP. */
async function checkClaimedCodes(storage: Storage): Promise<void> {
  const claimed = await claim(storage.system.outbox, 'dispatcher', later, later + 1, 100)
  const codes = claimed
    .filter(({ otpId }) => otpId === shared.pendingOtp)
    .map(({ tenantId, sealedCode }) => [tenantId, sealedCode])
  assert.deepEqual(codes.sort(), [
    ['A', 'code of A'],
    ['B', 'code of B'],
  ])
}

/** A filter by tenant holds whatever else is asked for. */
async function checkInbox({ system: { inbox } }: Storage): Promise<void> {
  const { pendingOtp: otpId, recipient } = shared
  for (const filter of [{}, { otpId }, { recipient }]) {
    const entries = await inbox.list({ ...filter, tenantId: 'B' }, 10)
    assert.deepEqual(
      entries.map(({ sealed }) => sealed),
      ['B', 'B'],
    )
  }
}

const rowsOf = (tenantId: string, dump: Dump) =>
  Object.fromEntries(
    Object.entries(dump).map(([table, rows]) => [
      table,
      rows.filter((row) => (table === 'tenants' ? row['id'] : row['tenant_id']) === tenantId),
    ]),
  )
