import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { addOpenTenant, isOpen, sessionIdOf } from '../support/sign-in-methods.ts'

let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await addOpenTenant(service)
})
after(() => service.close())

const enter = ({ client } = tenant) => client.signIn({ method: 'guest' })
const refresh = (refreshToken: string, { client } = tenant) => client.refreshSession({ refreshToken })

test('refuses tokens made with another deployment’s master keys, without revoking a session', async () => {
  const first = await enter()
  await using stranger = await startTestService({ clock: service.clock })
  const theirs = await enter(await addOpenTenant(stranger))
  const [, , secret, tag] = theirs.refreshToken.match(/^rt_(.{26})_(.{43})_(.{22})$/) ?? []
  await changesNothing(service, () =>
    refused(refresh(`rt_${sessionIdOf(first)}_${secret}_${tag}`), 'INVALID_REFRESH_TOKEN'),
  )
  await isOpen(tenant, first)
})

test('revokes no session for a forged token with the right session id', async () => {
  const [first, other] = [await enter(), await enter()]
  const id = sessionIdOf(first)
  const parts = ({ refreshToken }: SessionAnswer) => ({
    secret: refreshToken.slice(30, 73),
    tag: refreshToken.slice(74),
  })
  const second = await refresh(first.refreshToken)
  const random = (bytes: number) => randomBytes(bytes).toString('base64url')
  const forgeries = [
    `rt_${id}_${random(32)}_${random(32).slice(0, 22)}`,
    `rt_${id}_${random(32)}_${parts(second).tag}`,
    `rt_${id}_${parts(second).secret}_${random(32).slice(0, 22)}`,
    `rt_${id}_${parts(first).secret}_${parts(second).tag}`,
    `rt_${id}_${parts(other).secret}_${parts(other).tag}`,
    `rt_${sessionIdOf(other)}_${parts(second).secret}_${parts(second).tag}`,
    `rt_${id}_${parts(second).secret}_${'A'.repeat(22)}`,
    second.accessToken,
    tenant.key,
    id,
  ]
  service.clock.advance(60_000)
  await changesNothing(service, async () => {
    for (const forged of forgeries) await refused(refresh(forged), 'INVALID_REFRESH_TOKEN')
  })
  await isOpen(tenant, second)
  await isOpen(tenant, other)
})

test('refuses a token that is cut, padded, re-cased or changed in one character, without revoking a session', async () => {
  const session = await enter()
  const { refreshToken } = session
  const tampered = new Set<string>()
  for (let length = 1; length < refreshToken.length; length++) {
    tampered.add(refreshToken.slice(0, length)).add(refreshToken.slice(length))
  }
  for (const padding of ['=', ' ', '\n', '\t', '_', 'A', '\u200b', '.']) {
    tampered.add(refreshToken + padding).add(padding + refreshToken)
  }
  tampered
    .add(refreshToken.toLowerCase())
    .add(refreshToken.toUpperCase())
    .add(`rt_${refreshToken}`)
    .add(refreshToken.repeat(2))
  const flipped = [...refreshToken].map((letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  for (const [at, letter] of flipped.entries()) {
    if (letter !== refreshToken[at]) tampered.add(refreshToken.slice(0, at) + letter + refreshToken.slice(at + 1))
  }
  await changesNothing(service, async () => {
    for (const token of tampered) await refused(refresh(token), 'INVALID_REFRESH_TOKEN')
    const letters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. é')
    const places = fc.nat(refreshToken.length - 1)
    await fc.assert(
      fc.asyncProperty(places, letters, async (at, letter) => {
        fc.pre(letter !== refreshToken[at])
        const token = refreshToken.slice(0, at) + letter + refreshToken.slice(at + 1)
        await refused(refresh(token), 'INVALID_REFRESH_TOKEN')
      }),
      { numRuns: 300 },
    )
    await invalid(refresh(''), { refreshToken: 'String must contain at least 1 character(s)' })
    await invalid(refresh('x'.repeat(513)), { refreshToken: 'String must contain at most 512 character(s)' })
    await invalid(tenant.client.refreshSession({} as never), { refreshToken: 'Required' })
  })
  await isOpen(tenant, session)
})

test('refuses a token with another tenant’s key, used or not, and keeps the session', async () => {
  const other = await addOpenTenant(service)
  const first = await enter()
  const second = await refresh(first.refreshToken)
  service.clock.advance(60_000)
  await changesNothing(service, async () => {
    for (const { refreshToken } of [first, second]) await refused(refresh(refreshToken, other), 'INVALID_REFRESH_TOKEN')
  })
  await isOpen(tenant, second)
})
