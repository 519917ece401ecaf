import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing } from '../../test/support/databases/stored-rows.ts'
import { request } from '../../test/support/http/raw-request.ts'
import { invalid } from '../../test/support/refused.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'

const MINUTE = 60_000
let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const iso = (time: number) => new Date(time).toISOString()
const list = async () => (await service.admin.listSigningKeys()).keys

test('has one signing key without an end from startup on', async () => {
  const start = iso(service.clock.now())
  const [key, ...more] = await list()
  assert.deepEqual(more, [])
  assert.deepEqual(key, { kid: key?.kid, state: 'current', createdAt: start, signsFrom: start, trustedUntil: null })
})

test('adds the next key by rotation, which signs after ten minutes, unless there is one already', async () => {
  const now = service.clock.now()
  const [current] = await list()
  const line = 'POST /admin/signing-keys/rotate'
  const { status, body } = await request(service, line, { headers: { authorization: `Bearer ${service.adminKey}` } })
  assert.equal(status, 201)
  const signsFrom = iso(now + 10 * MINUTE)
  const next = { kid: body.data.keys[1].kid, state: 'next', createdAt: iso(now), signsFrom, trustedUntil: null }
  assert.deepEqual(body.data.keys, [{ ...current, trustedUntil: iso(now + 26 * MINUTE) }, next])

  service.clock.advance(10 * MINUTE - 1)
  await changesNothing(service, () => service.admin.rotateSigningKeys())
  assert.deepEqual((await list())[1], next)
  service.clock.advance(1)
  assert.deepEqual(
    (await list()).map(({ state }) => state),
    ['previous', 'current'],
  )
})

test('adds one key for ten concurrent rotations', async () => {
  service.clock.advance(16 * MINUTE)
  const answers = await Promise.all(Array.from({ length: 10 }, () => service.admin.rotateSigningKeys()))
  for (const { keys } of answers) {
    assert.deepEqual(
      keys.map(({ state }) => state),
      ['current', 'next'],
    )
  }
})

test('leaves one new key after withdrawing, which signs immediately', async () => {
  const before = (await list()).map(({ kid }) => kid)
  const now = iso(service.clock.now())
  const { keys } = await service.admin.rotateSigningKeys({ withdraw: true })
  const [fresh] = keys
  assert.deepEqual(keys, [{ kid: fresh?.kid, state: 'current', createdAt: now, signsFrom: now, trustedUntil: null }])
  assert.ok(!before.includes(String(fresh?.kid)))
  assert.deepEqual(await list(), keys)
})

test('accepts only true and false for withdraw', async () => {
  await changesNothing(service, async () => {
    const withdraw = 'true' as unknown as boolean
    await invalid(service.admin.rotateSigningKeys({ withdraw }), { withdraw: 'Expected boolean, received string' })
  })
})
