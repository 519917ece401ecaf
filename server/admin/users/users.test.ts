import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ManagedUser } from '../../../contract/accounts/user.ts'
import { createTenantryClient } from '../../../packages/client/src/index.ts'
import { invalid } from '../../../test/support/refused.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const password = 'correct horse battery'

test('reads and lists a user, and finds them by any spelling of the address', async () => {
  const { admin } = service
  const { tenantId } = await service.addTenant()
  const user = await admin.createUser({ tenantId }, { email: 'Ada@Example.com' })
  assert.deepEqual(ManagedUser.parse(user), user)
  assert.equal(user.email, 'ada@example.com')
  assert.deepEqual(await admin.getUser({ tenantId, userId: user.id }), user)
  await admin.createUser({ tenantId }, { email: 'bob@example.com' })
  assert.equal((await admin.listUsers({ tenantId })).items.length, 2)
  assert.deepEqual(await admin.listUsers({ tenantId }, { email: ' ADA@example.COM ' }), {
    items: [user],
    nextCursor: null,
  })
  assert.deepEqual((await admin.listUsers({ tenantId }, { email: 'unknown@example.com' })).items, [])
  const refusal = { code: 'VALIDATION_ERROR', validation: { email: 'Invalid email' } }
  await assert.rejects(admin.listUsers({ tenantId }, { email: 'ada' }), refusal)
})

test('lists users in pages, and none of another tenant', async () => {
  const { admin } = service
  const { tenantId } = await service.addTenant()
  const made: string[] = []
  for (let count = 0; count < 5; count++) {
    made.push((await admin.createUser({ tenantId }, { email: `user${count}@example.com` })).id)
  }
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await admin.listUsers({ tenantId }, { limit: '2', ...(cursor && { cursor }) })
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  assert.deepEqual(seen, made.toSorted())

  const { tenantId: other } = await service.addTenant()
  const path = { tenantId: other, userId: made[0]! }
  await assert.rejects(admin.getUser(path), { code: 'USER_NOT_FOUND', status: 404 })
  await assert.rejects(admin.updateUser(path, { restrictedCapabilities: ['sign_in'] }), { code: 'USER_NOT_FOUND' })
  await assert.rejects(admin.updateUser(path, {}), { code: 'USER_NOT_FOUND' })
  await assert.rejects(admin.deleteUser(path), { code: 'USER_NOT_FOUND' })
  assert.deepEqual((await admin.getUser({ tenantId, userId: made[0]! })).restrictedCapabilities, [])
})

test('finds users by number and id prefix; all filters must match', async () => {
  const { admin } = service
  const { tenantId } = await service.addTenant()
  const ada = await admin.createUser({ tenantId }, { email: 'ada@example.com', phone: '+33612345678' })
  service.clock.advance(1000)
  const bob = await admin.createUser({ tenantId }, { email: 'bob@example.com' })
  await admin.createUser({ tenantId: (await service.addTenant()).tenantId }, { phone: '+33612345678' })
  const ids = async (query: { email?: string; phone?: string; id?: string }) =>
    (await admin.listUsers({ tenantId }, query)).items.map(({ id }) => id)
  assert.deepEqual(await ids({ phone: '+33 (0)6 12 34 56 78' }), [ada.id])
  assert.deepEqual(await ids({ phone: '+33612345679' }), [])
  assert.deepEqual(await ids({ id: ada.id }), [ada.id])
  assert.deepEqual(await ids({ id: ada.id.slice(0, 10).toLowerCase() }), [ada.id])
  assert.deepEqual(await ids({ id: bob.id.slice(0, 10) }), [bob.id])
  assert.deepEqual(await ids({ id: bob.id.slice(0, 4) }), [ada.id, bob.id])
  assert.deepEqual(await ids({ id: bob.id.slice(1) }), [])
  assert.deepEqual(await ids({ email: 'ada@example.com', phone: '+33612345678', id: ada.id.slice(0, 10) }), [ada.id])
  assert.deepEqual(await ids({ email: 'bob@example.com', phone: '+33612345678' }), [])
  assert.deepEqual(await ids({ email: 'ada@example.com', id: bob.id.slice(0, 10) }), [])
  const pages = await admin.listUsers({ tenantId }, { id: bob.id.slice(0, 4), limit: '1' })
  assert.deepEqual(pages.items, [ada])
  const next = await admin.listUsers({ tenantId }, { id: bob.id.slice(0, 4), limit: '1', cursor: pages.nextCursor! })
  assert.deepEqual(next, { items: [bob], nextCursor: null })
})

test('reports each invalid filter', async () => {
  const { tenantId } = await service.addTenant()
  const list = (query: Record<string, string>) => service.admin.listUsers({ tenantId }, query)
  const rule = 'Validation rule not met'
  await invalid(list({ email: 'ada', phone: '0612345678', id: '../x' }), {
    email: 'Invalid email',
    phone: rule,
    id: rule,
  })
  for (const id of ['%', '01_', 'A'.repeat(27), 'ü']) await invalid(list({ id }), { id: rule })
})

test('deletes the profile and live one-time passwords with the user, and frees the address', async () => {
  const { admin } = service
  const { tenantId, key, client } = await service.addTenant()
  await admin.publishProfileSchema({ tenantId }, { components: [{ name: 'firstName', type: 'text' }] })
  const email = 'ada@example.com'
  const profile = { firstName: 'Ada' }
  const { id: userId } = await admin.createUser({ tenantId }, { email, password, profile })
  const bystander = await admin.createUser({ tenantId }, { email: 'bob@example.com', password, profile })
  const { accessToken } = await client.signIn({ method: 'password', email, password })
  const { id } = await client.resetPassword({ step: 'challenge', email })
  const other = await client.resetPassword({ step: 'challenge', email: 'bob@example.com' })

  await admin.deleteUser({ tenantId, userId })

  await assert.rejects(admin.getUser({ tenantId, userId }), { code: 'USER_NOT_FOUND' })
  await assert.rejects(admin.readUserProfile({ tenantId, userId }), { code: 'USER_NOT_FOUND' })
  await assert.rejects(admin.deleteUser({ tenantId, userId }), { code: 'USER_NOT_FOUND' })
  assert.equal(await service.service.services.storage.forTenant(tenantId).profiles.find(userId), null)
  assert.equal((await client.getOtpStatus({ id, scope: 'reset_password' })).state, 'cancelled')
  const signedIn = createTenantryClient({ baseUrl: service.baseUrl, tenantKey: key, accessToken })
  await assert.rejects(signedIn.getProfile(), { code: 'TOKEN_USER_NOT_FOUND', status: 401 })
  await assert.rejects(client.signIn({ method: 'password', email, password }), { code: 'INVALID_CREDENTIALS' })

  assert.equal((await client.getOtpStatus({ id: other.id, scope: 'reset_password' })).state, 'pending')
  assert.equal((await admin.readUserProfile({ tenantId, userId: bystander.id }))['firstName'], 'Ada')
  const again = await admin.createUser({ tenantId }, { email })
  assert.notEqual(again.id, userId)
  assert.equal((await admin.readUserProfile({ tenantId, userId: again.id })).createdAt, null)
})

test('accepts one of ten concurrent deletions', async () => {
  const { tenantId } = await service.addTenant()
  const { id: userId } = await service.admin.createUser({ tenantId }, { email: 'ada@example.com' })
  const deletions = Array.from({ length: 10 }, () => service.admin.deleteUser({ tenantId, userId }))
  const results = await Promise.allSettled(deletions)
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
})
