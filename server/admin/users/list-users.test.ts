import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { invalid } from '../../../test/support/refused.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

interface NewUser {
  readonly email?: string
  readonly emailVerified?: boolean
  readonly phone?: string
}

async function newTenant() {
  const { tenantId, client } = await service.addTenant({ methods: ['guest'] })
  const list = (query: Record<string, string> = {}) => service.admin.listUsers({ tenantId }, query)
  return {
    tenantId,
    client,
    list,
    ids: async (query: Record<string, string> = {}) => (await list(query)).items.map(({ id }) => id),
    async add(user: NewUser): Promise<string> {
      service.clock.advance(1)
      return (await service.admin.createUser({ tenantId }, user)).id
    },
    async pages(query: Record<string, string>): Promise<string[][]> {
      const found: string[][] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await list({ ...query, ...(cursor && { cursor }) })
        found.push(page.items.map(({ id }) => id))
        cursor = page.nextCursor
      }
      return found
    },
  }
}

test('lists users newest first, in pages', async () => {
  const { add, ids, pages } = await newTenant()
  const made: string[] = []
  for (let index = 0; index < 5; index++) made.push(await add({ email: `user${index}@example.com` }))
  assert.deepEqual(await ids(), made)
  assert.deepEqual(await ids({ order: 'oldest' }), made)
  const newest = made.toReversed()
  assert.deepEqual(await ids({ order: 'newest' }), newest)
  assert.deepEqual(await pages({ order: 'newest', limit: '2' }), [newest.slice(0, 2), newest.slice(2, 4), [newest[4]]])
})

test('finds users by the beginning of an address in any spelling, in the order of addresses', async () => {
  const { add, ids, pages } = await newTenant()
  const zoe = await add({ email: 'zoe@example.com', phone: '+33612345678' })
  const ada = await add({ email: 'ada@example.com', phone: '+33612345679' })
  const adam = await add({ email: 'adam@müller.example' })
  assert.deepEqual(await ids({ q: 'ada' }), [ada, adam])
  assert.deepEqual(await ids({ q: ' ADA@Exam' }), [ada])
  assert.deepEqual(await ids({ q: 'adam@müller.example' }), [adam])
  assert.deepEqual(await ids({ q: 'example.com' }), [])
  assert.deepEqual(await ids({ q: '%' }), [])
  assert.deepEqual(await ids({ q: '_' }), [])
  assert.deepEqual(await ids({ q: '+33 (0)6 12' }), [zoe, ada])
  assert.deepEqual(await ids({ q: '+33612345679' }), [ada])
  assert.deepEqual(await ids({ q: zoe.slice(0, 12).toLowerCase() }), await ids({ id: zoe.slice(0, 12) }))
  assert.deepEqual(await ids({ q: adam }), [adam])
  assert.deepEqual(await pages({ q: 'ada', limit: '1' }), [[ada], [adam]])
})

test('lists users by their state now, alone and in a search', async () => {
  const { tenantId, client, add, ids, pages } = await newTenant()
  const verified = await add({ email: 'verified@example.com', emailVerified: true })
  const unverified = await add({ email: 'unverified@example.com' })
  const suspended = await add({ email: 'user-s@example.com', emailVerified: true })
  const restricted = await add({ email: 'user-r@example.com', emailVerified: true })
  service.clock.advance(1)
  const guest = (await client.signIn({ method: 'guest' })).user.id
  const update = (userId: string, changes: Parameters<typeof service.admin.updateUser>[1]) =>
    service.admin.updateUser({ tenantId, userId }, changes)
  const until = new Date(service.clock.now() + 60_000).toISOString()
  await update(suspended, { suspension: { until } })
  await update(verified, { suspension: {} })
  await update(verified, { suspension: null })
  await update(restricted, { restrictions: [{ capability: 'upload', until }] })

  assert.deepEqual(await ids({ state: 'suspended' }), [suspended])
  assert.deepEqual(await ids({ state: 'restricted' }), [restricted])
  assert.deepEqual(await ids({ state: 'guest' }), [guest])
  assert.deepEqual(await ids({ state: 'unverified' }), [unverified])
  assert.deepEqual(await ids({ q: 'user', state: 'suspended' }), [suspended])
  assert.deepEqual(await ids({ q: 'user', state: 'guest' }), [])
  assert.deepEqual(await ids({ email: 'user-r@example.com', state: 'restricted' }), [restricted])
  assert.deepEqual(await ids({ email: 'user-r@example.com', state: 'suspended' }), [])

  // A suspension and a restriction that have ended.
  service.clock.advance(60_000)
  assert.deepEqual(await ids({ state: 'suspended' }), [])
  assert.deepEqual(await ids({ state: 'restricted' }), [])
  assert.deepEqual(await pages({ q: 'user', state: 'suspended' }), [[]])
})

test('a page of few matches is short and continues; no page is skipped', async () => {
  const { tenantId, add, pages } = await newTenant()
  const made: string[] = []
  const until = new Date(service.clock.now() + 60_000).toISOString()
  for (let index = 0; index < 14; index++) {
    const userId = await add({ email: `user${index}@example.com` })
    const isLasting = index === 2 || index === 13
    await service.admin.updateUser({ tenantId, userId }, { suspension: isLasting ? {} : { until } })
    if (isLasting) made.push(userId)
  }
  service.clock.advance(60_000)
  // Four sections of two users each are read for a page.
  assert.deepEqual(await pages({ state: 'suspended', limit: '1' }), [[made[0]], [made[1]]])
})

test('refuses parameters that have no meaning together, and text that nothing begins with', async () => {
  const { list } = await newTenant()
  await invalid(list({ q: 'a', email: 'a@example.com' }), { q: 'Cannot be combined with email' })
  await invalid(list({ q: 'a', id: '01' }), { q: 'Cannot be combined with id' })
  await invalid(list({ q: 'a', order: 'newest' }), { order: 'Cannot be combined with q' })
  await invalid(list({ 'profile.city': 'a', order: 'newest' }), { order: 'Cannot be combined with profile' })
  await invalid(list({ q: '+33x' }), { q: 'Validation rule not met' })
  await invalid(list({ q: ' ' }), { q: 'Validation rule not met' })
  await invalid(list({ q: 'a\0' }), { q: 'Invalid string' })
  await invalid(list({ q: 'a'.repeat(255) }), { q: 'String must contain at most 254 character(s)' })
  await invalid(list({ state: 'deleted' }), { state: 'Invalid enum value' })
  await invalid(list({ order: 'up' }), { order: 'Invalid enum value' })
})

test('a cursor belongs to its search', async () => {
  const { add, list } = await newTenant()
  for (const name of ['ada', 'adam', 'ad']) await add({ email: `${name}@example.com` })
  const { nextCursor } = await list({ q: 'ad', limit: '1' })
  const cursor = nextCursor!
  assert.equal((await list({ q: ' AD', limit: '1', cursor })).items[0]!.email, 'ada@example.com')
  const rule = { cursor: 'Validation rule not met' }
  await invalid(list({ cursor }), rule)
  await invalid(list({ q: 'ada', cursor }), rule)
  await invalid(list({ q: 'ad', state: 'guest', cursor }), rule)
  const { nextCursor: ofList } = await list({ limit: '1' })
  await invalid(list({ q: 'ad', cursor: ofList! }), rule)
})
