import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { NoticeKind } from '../../contract/tenants/delivery-templates.ts'
import type { TenantryClient } from '../../packages/client/src/index.ts'
import { storedRow } from '../support/databases/stored-rows.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { addPerson, type Person } from '../support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { addOpenTenant, newEmail, newPhone } from '../support/sign-in-methods.ts'

let google: IdentityProvider
let service: TestService
let tenant: TestTenant

before(async () => {
  google = await startIdentityProvider('google')
  service = await startTestService({ identityProviders: google.settings })
  tenant = await addOpenTenant(service, { google })
})
after(() => Promise.all([service.close(), google.close()]))

const byGoogle = async (claims: Record<string, unknown>) =>
  ({ method: 'google', idToken: await google.sign(claims) }) as const

async function verify(id: string, scope: 'email_verification' | 'phone_verification') {
  await tenant.client.verifyOtp({ id, scope, code: await service.codeOf(id) })
}

interface Known {
  readonly person: Person
  readonly client: TenantryClient
  readonly googleId: string
}

/** Each change of a sign-in method, with its notice and whether that carries an undo code. */
const changes: Record<string, { notice: string; undoTo?: 'email' | 'phone'; act: (known: Known) => Promise<unknown> }> =
  {
    'linking an identity': {
      notice: 'identity_added',
      act: async ({ client }) => client.addIdentity(await byGoogle({ sub: randomUUID(), email_verified: false })),
    },
    'linking by address at a sign-in': {
      notice: 'identity_added',
      act: async ({ person }) =>
        tenant.client.signIn(await byGoogle({ email: person.email, hd: person.email.split('@')[1] })),
    },
    'removing an identity': {
      notice: 'identity_removed',
      act: ({ client, googleId }) => client.removeIdentity({ identityId: googleId }),
    },
    'removing the password': {
      notice: 'identity_removed',
      act: ({ client }) => client.removeIdentity({ identityId: 'password' }),
    },
    'changing the password': {
      notice: 'password_changed',
      act: ({ client }) => client.changePassword({ password: 'battery staple' }),
    },
    'resetting the password': {
      notice: 'password_changed',
      act: async ({ person }) => {
        const token = await person.verified('reset_password')
        await tenant.client.resetPassword({ step: 'confirm', token, password: 'battery staple' })
      },
    },
    'adding a password': {
      notice: 'password_added',
      act: async ({ person, client }) => {
        await client.removeIdentity({ identityId: 'password' })
        await drained(person)
        return client.addIdentity({ method: 'password', password: 'battery staple', email: person.email })
      },
    },
    'changing the e-mail address': {
      notice: 'email_changed',
      undoTo: 'email',
      act: async ({ client }) => verify((await client.changeEmail({ email: newEmail() })).id, 'email_verification'),
    },
    'changing the phone number': {
      notice: 'phone_changed',
      undoTo: 'phone',
      act: async ({ client }) => verify((await client.changePhone({ phone: newPhone() })).id, 'phone_verification'),
    },
    'removing the e-mail address': {
      notice: 'email_changed',
      undoTo: 'email',
      act: ({ client }) => client.removeIdentity({ identityId: 'email' }),
    },
    'removing the phone number': {
      notice: 'phone_changed',
      undoTo: 'phone',
      act: ({ client }) => client.removeIdentity({ identityId: 'phone' }),
    },
    'deleting the account': { notice: 'account_deleted', act: ({ client }) => client.deleteAccount() },
  }

test('each kind of notice has a change that sends it', () => {
  const sent = new Set(Object.values(changes).map(({ notice }) => notice))
  assert.deepEqual([...sent].sort(), [...NoticeKind.options].sort())
})

let seen = new Set<string>()
/** The notices to the person's addresses since the last call. */
async function drained({ email, phone }: Person) {
  await service.service.services.delivery.drain()
  const lists = await Promise.all(
    [email, phone].map(async (recipient) => (await service.admin.listTestingChannelMessages({ recipient })).messages),
  )
  const notices = lists.flat().filter(({ id, scope }) => scope === null && !seen.has(id))
  seen = new Set([...seen, ...notices.map(({ id }) => id)])
  return notices
}

for (const [name, { notice, undoTo, act }] of Object.entries(changes)) {
  test(`${name} notifies each verified address of the account`, async () => {
    const person = await addPerson(service, tenant)
    await person.prove()
    const client = await person.client()
    const { identities } = await client.addIdentity(await byGoogle({ sub: randomUUID(), email_verified: false }))
    await drained(person)
    await act({ person, client, googleId: identities.at(-1)!.id })
    const notices = await drained(person)
    assert.deepEqual(notices.map(({ recipient }) => recipient).sort(), [person.phone, person.email].sort())
    for (const { recipient, code, otpId, text } of notices) {
      const carriesUndo = undoTo !== undefined && recipient === person[undoTo]
      assert.deepEqual([code !== null, otpId !== null], [carriesUndo, carriesUndo], recipient)
      assert.ok(text.includes('Test tenant'))
    }
    const kinds = notices.map(({ id }) => storedRow(service, 'SELECT kind FROM outbox WHERE id = ?', id)['kind'])
    assert.deepEqual(kinds, [notice, notice])
  })

  test(`${name} notifies no unverified address`, async () => {
    const person = await addPerson(service, tenant)
    if (name === 'linking by address at a sign-in') return
    const client = await person.client()
    const { identities } = await client.addIdentity(await byGoogle({ sub: randomUUID(), email_verified: false }))
    if (name === 'removing the e-mail address') {
      await verify((await client.issueOtp({ scope: 'email_verification' })).id, 'email_verification')
      await client.removeIdentity({ identityId: 'password' })
    }
    if (name === 'removing the phone number') {
      await verify((await client.issueOtp({ scope: 'phone_verification' })).id, 'phone_verification')
    }
    await drained(person)
    await act({ person, client, googleId: identities.at(-1)!.id })
    // The code of a reset verifies the address it was sent to.
    const proven: Record<string, string> = {
      'resetting the password': person.email,
      'removing the e-mail address': person.email,
      'removing the phone number': person.phone,
    }
    assert.deepEqual(
      (await drained(person)).map(({ recipient }) => recipient),
      [proven[name]].filter((recipient) => recipient !== undefined),
    )
  })
}

/** An account at Google whose address the account here does not have verified. */
const withoutAddress: Record<string, (person: Person, client: TenantryClient) => Promise<Record<string, unknown>>> = {
  'an address that was removed': async (_person, client) => {
    const claims = { sub: randomUUID(), email: `${randomUUID()}@gmail.com`, email_verified: true }
    await client.removeIdentity({ identityId: 'email' })
    assert.equal((await client.addIdentity(await byGoogle(claims))).email, claims.email)
    await client.removeIdentity({ identityId: 'email' })
    return claims
  },
  'an address that was only claimed': async ({ userId, email }, client) => {
    const claims = { sub: randomUUID(), email, email_verified: true }
    await client.addIdentity(await byGoogle({ ...claims, hd: undefined }))
    await service.admin.updateUser({ tenantId: tenant.tenantId, userId }, { emailVerified: false })
    return { ...claims, hd: email.split('@')[1] }
  },
}

for (const [name, prepare] of Object.entries(withoutAddress)) {
  test(`linking an identity again that proves ${name} notifies each verified address`, async () => {
    const person = await addPerson(service, tenant)
    await person.prove()
    const client = await person.client()
    const claims = await prepare(person, client)
    await drained(person)
    const { emailVerified } = await client.addIdentity(await byGoogle(claims))
    assert.equal(emailVerified, true)
    const notices = await drained(person)
    assert.deepEqual(
      notices.map(({ recipient }) => recipient),
      [person.phone],
    )
    assert.equal(storedRow(service, 'SELECT kind FROM outbox WHERE id = ?', notices[0]!.id)['kind'], 'identity_added')
    await client.addIdentity(await byGoogle(claims))
    assert.deepEqual(await drained(person), [])
  })
}

for (const [first, then] of [
  ['email', 'phone'],
  ['phone', 'email'],
] as const) {
  test(`verifying the claimed ${then} address notifies the verified ${first} address, once`, async () => {
    const person = await addPerson(service, tenant)
    const client = await person.client()
    const prove = async (kind: 'email' | 'phone') => {
      await verify((await client.issueOtp({ scope: `${kind}_verification` })).id, `${kind}_verification`)
      const notices = await drained(person)
      const kindOf = (id: string) => storedRow(service, 'SELECT kind FROM outbox WHERE id = ?', id)['kind']
      return notices.map(({ id, recipient }) => [kindOf(id), recipient])
    }
    assert.deepEqual(await prove(first), [])
    assert.deepEqual(await prove(then), [['identity_added', person[first]]])
    assert.deepEqual(await prove(then), [])
  })
}

test('sends nothing when nothing changes: a linked identity again, a verified address again', async () => {
  const person = await addPerson(service, tenant)
  await person.prove()
  const client = await person.client()
  const sub = randomUUID()
  await client.addIdentity(await byGoogle({ sub, email_verified: false }))
  await drained(person)
  await client.addIdentity(await byGoogle({ sub, email_verified: false }))
  await verify((await client.issueOtp({ scope: 'email_verification' })).id, 'email_verification')
  await tenant.client.signIn(await byGoogle({ sub, email_verified: false }))
  assert.deepEqual(await drained(person), [])
})
