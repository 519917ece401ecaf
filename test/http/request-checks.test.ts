import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ErrorCode } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { tenantCapabilities } from '../../contract/tenants/capabilities.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { startTestService, type TestService, testAdminKey } from '../support/service.ts'

/**
 * The order of CHECK-1, for each operation. A request first fails only the last check. Each step makes it fail an earlier
 * check too, and that check must answer.
 */

/** The key of a tenant without configuration and tokens of its users. */
interface Caller {
  readonly key: string
  readonly token: string
  readonly tokenOfDeletedUser: string
  readonly tokenOfSuspendedUser: string
}

let service: TestService
let bare: Caller
let restricted: Caller
let suspended: Caller
let revokedKey: string
let addresses = 0
/** Every request uses a new address, so that only `exhausted` reaches its limit. */
const freshAddress = () => `10.1.${addresses >> 8}.${addresses++ & 255}`
const exhausted = '10.9.9.9'

before(async () => {
  const limitNames = Object.keys(limits)
  service = await startTestService({
    trustedProxies: '127.0.0.1',
    limitsText: ['all=off', ...limitNames.map((name) => `${name}=1/h`)].join(),
  })
  bare = await addCaller({})
  restricted = await addCaller({ restrictedCapabilities: [...tenantCapabilities] })
  suspended = await addCaller({ restrictedCapabilities: [...tenantCapabilities], suspended: true })
})
after(() => service.close())

async function addCaller(changes: object): Promise<Caller> {
  const { tenantId, key, client } = await service.addTenant()
  const signUp = async (email: string) => {
    const headers = { 'x-forwarded-for': freshAddress() }
    return client.signUp({ method: 'password', email, password: 'correct horse' }, { headers })
  }
  const { accessToken: token } = await signUp('user@example.com')
  const deleted = await signUp('deleted@example.com')
  await service.admin.deleteUser({ tenantId, userId: deleted.user.id })
  const suspendedUser = await signUp('suspended@example.com')
  await service.admin.updateUser({ tenantId, userId: suspendedUser.user.id }, { suspension: {} })
  if ('suspended' in changes) {
    const { id, key: revoked } = await service.admin.createTenantKey({ tenantId }, { name: 'revoked' })
    await service.admin.revokeTenantKey({ tenantId, keyId: id })
    revokedKey = revoked
  }
  await service.admin.replaceConfiguration({ tenantId }, {})
  await service.admin.updateTenant({ tenantId }, changes)
  const tokenOfSuspendedUser = suspendedUser.accessToken
  return { key, token, tokenOfDeletedUser: deleted.accessToken, tokenOfSuspendedUser }
}

interface Row {
  readonly route: string
  readonly body?: object
  /** The answer for a tenant without configuration: an error code or a success status. Skipped when absent. */
  readonly state?: ErrorCode | number
  readonly capability?: true
  readonly user?: 'required' | 'optional'
  readonly limited: boolean
}

const [id, scope] = ['unknown', 'reset_password']
const [email, password] = ['unknown@example.com', 'correct horse']
const method = 'password'

const table: Record<string, Row> = {
  resend: { route: 'POST /otp/resend', body: { id, scope }, state: 'TENANT_NOT_CONFIGURED', limited: true },
  challenge: {
    route: 'POST /auth/reset-password',
    body: { step: 'challenge', email },
    state: 'UNEXPECTED_STATE',
    capability: true,
    limited: true,
  },
  confirm: {
    route: 'POST /auth/reset-password',
    body: { step: 'confirm', token: id, password },
    state: 'OTP_NOT_FOUND',
    capability: true,
    limited: true,
  },
  profile: {
    route: 'PATCH /account/profile',
    body: {},
    state: 'UNEXPECTED_STATE',
    capability: true,
    user: 'required',
    limited: true,
  },
  profileCheck: {
    route: 'POST /account/profile/check',
    body: {},
    state: 'UNEXPECTED_STATE',
    capability: true,
    user: 'required',
    limited: true,
  },
  signUpCheck: { route: 'POST /auth/sign-up/check', body: { profile: {} }, state: 201, limited: true },
  configuration: { route: 'GET /tenant-configuration', state: 'TENANT_NOT_CONFIGURED', limited: false },
  issue: {
    route: 'POST /otp',
    body: { scope: 'otp_signin', email },
    state: 'TENANT_NOT_CONFIGURED',
    capability: true,
    user: 'optional',
    limited: true,
  },
  verify: { route: 'POST /otp/verify', body: { id, scope, code: '000000' }, state: 'OTP_NOT_FOUND', limited: true },
  status: { route: 'POST /otp/status', body: { id, scope }, state: 'OTP_NOT_FOUND', limited: true },
  signUp: {
    route: 'POST /auth/sign-up',
    body: { method, email, password },
    state: 'AUTH_METHOD_NOT_ENABLED',
    capability: true,
    limited: true,
  },
  signIn: {
    route: 'POST /auth/sign-in',
    body: { method, email, password },
    state: 'AUTH_METHOD_NOT_ENABLED',
    capability: true,
    limited: true,
  },
  refresh: { route: 'POST /auth/refresh', body: { refreshToken: id }, state: 'INVALID_REFRESH_TOKEN', limited: true },
  stepUp: {
    route: 'POST /auth/step-up',
    body: { method: 'password', password },
    state: 'AUTH_METHOD_NOT_ENABLED',
    capability: true,
    user: 'required',
    limited: true,
  },
  recover: { route: 'POST /account/recover', body: { id, code: '000000' }, state: 'OTP_NOT_FOUND', limited: true },
  signOut: {
    route: 'POST /auth/sign-out',
    body: { scope: 'others' },
    state: 201,
    user: 'required',
    limited: true,
  },
  account: { route: 'GET /account', state: 200, user: 'required', limited: false },
  deletion: { route: 'DELETE /account', user: 'required', limited: true },
  formState: {
    route: 'GET /account/profile/forms/unknown',
    state: 'UNEXPECTED_STATE',
    user: 'required',
    limited: false,
  },
  readProfile: { route: 'GET /account/profile', state: 'UNEXPECTED_STATE', user: 'required', limited: false },
  password: {
    route: 'POST /account/password',
    body: { currentPassword: password, password },
    state: 'AUTH_METHOD_NOT_ENABLED',
    user: 'required',
    limited: true,
  },
  newEmail: {
    route: 'POST /account/email',
    body: { email },
    state: 'TENANT_NOT_CONFIGURED',
    capability: true,
    user: 'required',
    limited: true,
  },
  newPhone: {
    route: 'POST /account/phone',
    body: { phone: '+33612345678' },
    state: 'TENANT_NOT_CONFIGURED',
    capability: true,
    user: 'required',
    limited: true,
  },
  sessions: { route: 'GET /account/sessions', state: 200, user: 'required', limited: false },
  session: {
    route: 'DELETE /account/sessions/unknown',
    state: 'SESSION_NOT_FOUND',
    user: 'required',
    limited: true,
  },
  link: {
    route: 'POST /account/identities',
    body: { method: 'otp', token: id },
    state: 'AUTH_METHOD_NOT_ENABLED',
    user: 'required',
    limited: true,
  },
  unlink: {
    route: 'DELETE /account/identities/unknown',
    state: 'IDENTITY_NOT_FOUND',
    user: 'required',
    limited: true,
  },
  activity: { route: 'GET /account/activity', state: 200, user: 'required', limited: false },
  export: { route: 'GET /account/export', state: 200, user: 'required', limited: true },
}

/** A request that each step changes. */
interface Draft {
  key?: string
  token?: string | undefined
  body?: string
  type: string
  address?: string
  hosts: number
}

type Step = readonly [check: ErrorCode | number, change: (draft: Draft) => void]

/** The steps from the last check to the first. */
function stepsOf({ body, state, capability, user, limited }: Row): Step[] {
  const steps: Step[] = state === undefined ? [] : [[state, () => {}]]
  if (body !== undefined) {
    steps.push(
      ['VALIDATION_ERROR', (draft) => (draft.body = '{')],
      ['UNSUPPORTED_MEDIA_TYPE', (draft) => (draft.type = 'text/plain')],
      ['PAYLOAD_TOO_LARGE', (draft) => (draft.body = '{'.repeat(65_537))],
    )
  }
  const as = (caller: Caller) => (draft: Draft) => {
    draft.key = caller.key
    if (user !== undefined) draft.token = caller.token
  }
  if (capability) steps.push(['RESTRICTED_CAPABILITY', (draft) => as(restricted)(draft)])
  if (user !== undefined) {
    steps.push(
      ['RESTRICTED_CAPABILITY', (draft) => Object.assign(draft, { key: bare.key, token: bare.tokenOfSuspendedUser })],
      [
        'TOKEN_USER_NOT_FOUND',
        (draft) => Object.assign(draft, { key: restricted.key, token: restricted.tokenOfDeletedUser }),
      ],
      ['INVALID_USER_TOKEN', (draft) => (draft.token = 'x')],
    )
  }
  if (user === 'required') steps.push(['MISSING_USER_TOKEN', (draft) => (draft.token = undefined)])
  steps.push(
    ['TENANT_SUSPENDED', (draft) => (draft.key = suspended.key)],
    ['INVALID_TENANT_KEY', (draft) => (draft.key = revokedKey)],
    ['MISSING_TENANT_KEY', (draft) => delete draft.key],
  )
  if (limited) steps.push(['TOO_MANY_REQUESTS', (draft) => (draft.address = exhausted)])
  return [...steps, ['BAD_REQUEST', (draft) => (draft.hosts = 2)]]
}

function submit(route: string, { key, token, body, type, address, hosts }: Draft): Promise<WireAnswer> {
  const [method, path] = route.split(' ')
  const headers: [string, string][] = [['x-forwarded-for', address ?? freshAddress()]]
  if (key !== undefined) headers.push(['x-tenant-key', key])
  if (token !== undefined) headers.push(['authorization', `Bearer ${token}`])
  if (body !== undefined) headers.push(['content-type', type])
  if (hosts === 2) headers.push(['host', 'another'])
  return send(service.baseUrl, { method: method!, path: path!, headers, ...(body !== undefined && { body }) })
}

for (const [name, row] of Object.entries(table)) {
  test(`${name}: reports the earliest failed check`, async () => {
    const draft: Draft = { key: bare.key, type: 'application/json', hosts: 1 }
    if (row.user !== undefined) draft.token = bare.token
    if (row.body !== undefined) draft.body = JSON.stringify(row.body)
    // Counts against the limit, then fails the key check, so it has no other effect.
    if (row.limited) await submit(row.route, { ...draft, key: revokedKey, address: exhausted })
    for (const [check, change] of stepsOf(row)) {
      change(draft)
      const answer = await submit(row.route, draft)
      if (typeof check === 'number') assert.equal(answer.status, check)
      else assertRefusal(answer, check, check === 'VALIDATION_ERROR' ? { body: 'Invalid JSON' } : undefined)
      const counted = row.limited && check !== 'BAD_REQUEST'
      assert.equal(answer.headers['ratelimit'], counted ? '"ip";r=0;t=3600' : undefined, `${check}`)
      assert.equal(answer.headers['ratelimit-policy'], counted ? '"ip";q=1;w=3600' : undefined, `${check}`)
      assert.equal(answer.headers['retry-after'], check === 'TOO_MANY_REQUESTS' ? '3600' : undefined, `${check}`)
    }
  })
}

test('covers every operation of client applications as the contract declares it', () => {
  const tested = Object.values(table).map(({ route, user, limited, capability = false }) => ({
    route: route.replace('unknown', 'x'),
    user,
    limited,
    capability,
  }))
  const declared = Object.values<Operation>(operations)
    .filter(({ auth }) => auth.startsWith('tenant'))
    .map(({ method, path, auth, limit, capability }) => ({
      route: `${method} ${path.replace(/:\w+/, 'x')}`,
      user: auth === 'tenant' ? undefined : auth === 'tenant, user' ? 'required' : 'optional',
      limited: limit !== undefined,
      capability: capability !== undefined,
    }))
  const texts = (rows: object[]) => new Set(rows.map((row) => JSON.stringify(row)))
  assert.deepEqual(texts(tested), texts(declared), 'add a row of each operation to the table in this file')
})

test('POST /otp: validates the body before it requires a user for the scope', async () => {
  const { key } = await service.addTenant()
  const draft = { key, type: 'application/json', hosts: 1 }
  for (const scope of ['email_verification', 'phone_verification']) {
    const missing = { ...draft, body: JSON.stringify({ scope }) }
    assertRefusal(await submit('POST /otp', missing), 'MISSING_USER_TOKEN')
    const wrong = { ...draft, body: JSON.stringify({ scope, email: 'x' }) }
    assertRefusal(await submit('POST /otp', wrong), 'VALIDATION_ERROR', { email: 'Invalid email' })
    assertRefusal(await submit('POST /otp', { ...missing, token: 'x' }), 'INVALID_USER_TOKEN')
  }
})

test('admin: checks the key, then the body, then the tenant', async () => {
  const steps: [ErrorCode, [string, string][], string][] = [
    [
      'TENANT_NOT_FOUND',
      [
        ['authorization', `Bearer ${testAdminKey}`],
        ['content-type', 'application/json'],
      ],
      '{}',
    ],
    [
      'VALIDATION_ERROR',
      [
        ['authorization', `Bearer ${testAdminKey}`],
        ['content-type', 'application/json'],
      ],
      '{',
    ],
    [
      'UNSUPPORTED_MEDIA_TYPE',
      [
        ['authorization', `Bearer ${testAdminKey}`],
        ['content-type', 'text/plain'],
      ],
      '{',
    ],
    [
      'PAYLOAD_TOO_LARGE',
      [
        ['authorization', `Bearer ${testAdminKey}`],
        ['content-type', 'text/plain'],
      ],
      '{'.repeat(65_537),
    ],
    [
      'INVALID_ADMIN_KEY',
      [
        ['authorization', `Bearer ${testAdminKey}x`],
        ['content-type', 'text/plain'],
      ],
      '{'.repeat(65_537),
    ],
    ['MISSING_ADMIN_KEY', [['content-type', 'text/plain']], '{'.repeat(65_537)],
  ]
  for (const [check, headers, body] of steps) {
    const answer = await send(service.baseUrl, { method: 'PATCH', path: '/admin/tenants/unknown', headers, body })
    assertRefusal(answer, check, check === 'VALIDATION_ERROR' ? { body: 'Invalid JSON' } : undefined)
    assert.equal(answer.headers['ratelimit'], undefined)
  }
})

test('keeps a well-formed request id and replaces any other with a ULID', async () => {
  const idOf = async (...sent: string[]) => {
    const headers = sent.map((value) => ['x-request-id', value] as [string, string])
    const answer = await send(service.baseUrl, { path: '/nothing', headers })
    assertRefusal(answer, 'NOT_FOUND')
    return answer.headers['x-request-id']
  }
  for (const valid of ['a', 'A-Za-z0-9._', '01KF0RDQG0M09RP0YK7HR3P67C', 'x'.repeat(64), '..', '-'])
    assert.equal(await idOf(valid), valid)
  const invalid = ['', ' ', 'x'.repeat(65), 'a b', 'a,b', 'a"b', '<script>', 'a/b', 'é', '{}', 'a\tb', '%0d%0a', 'a;b']
  for (const value of invalid) assert.match((await idOf(value))!, /^[0-9A-HJKMNP-TV-Z]{26}$/)
  assert.match((await idOf('one', 'two'))!, /^[0-9A-HJKMNP-TV-Z]{26}$/)
  assert.notEqual(await idOf(), await idOf())
})
