import assert from 'node:assert/strict'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { dumpDatabase } from '../support/databases/database-dump.ts'
import { send, type WireAnswer, type WireRequest } from '../support/http/wire.ts'
import { sampleOf } from '../support/runner/sample-size.ts'
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
  type TestTenant,
  testAdminKey,
} from '../support/service.ts'

/** One field of each kind, most with typical rules. */
export const schemaOfEveryKind: ProfileSchemaInput = {
  version: 'v1',
  components: [
    { name: 'nickname', type: 'text', rules: { minLength: 2, maxLength: 30, pattern: '^[A-Za-z0-9_]+$' } },
    { name: 'title', type: 'text' },
    { name: 'bio', type: 'multiline' },
    { name: 'workEmail', type: 'email' },
    { name: 'homePhone', type: 'phone' },
    { name: 'website', type: 'url' },
    { name: 'height', type: 'number' },
    { name: 'children', type: 'integer' },
    { name: 'newsletter', type: 'boolean' },
    { name: 'birthDate', type: 'date' },
    { name: 'nextVisit', type: 'datetime' },
    { name: 'callMeAt', type: 'time' },
    { name: 'country', type: 'select', options: [{ value: 'fr' }, { value: 'jp' }] },
    { name: 'interests', type: 'multiselect', options: [{ value: 'music' }, { value: 'sports' }] },
    { name: 'tags', type: 'list' },
    { name: 'homeCountry', type: 'country', rules: { in: ['FR', 'JP'] } },
    { name: 'spoken', type: 'language' },
    { name: 'pays', type: 'currency' },
    { name: 'zone', type: 'timezone' },
    { name: 'since', type: 'month' },
    { name: 'sprint', type: 'week' },
    { name: 'person', type: 'name', rules: { requiredParts: ['given'] } },
    { name: 'home', type: 'address' },
    { name: 'terms', type: 'consent', rules: { version: '2' } },
    { name: 'mails', type: 'list', rules: { items: 'email' } },
    { name: 'fullName', type: 'text', required: true },
    { name: 'level', type: 'text', writable: false },
  ],
}

const routes = {
  resendOtp: 'POST /otp/resend',
  challenge: 'POST /auth/reset-password',
  confirm: 'POST /auth/reset-password',
  updateProfile: 'PATCH /account/profile',
  checkProfile: 'POST /account/profile/check',
  checkSignUp: 'POST /auth/sign-up/check',
  issueOtp: 'POST /otp',
  verifyOtp: 'POST /otp/verify',
  getOtpStatus: 'POST /otp/status',
  signUp: 'POST /auth/sign-up',
  signIn: 'POST /auth/sign-in',
  signInByCode: 'POST /auth/sign-in',
  signInByGoogle: 'POST /auth/sign-in',
  stepUp: 'POST /auth/step-up',
  stepUpByCode: 'POST /auth/step-up',
  stepUpByGoogle: 'POST /auth/step-up',
  refreshSession: 'POST /auth/refresh',
  signOut: 'POST /auth/sign-out',
  changePassword: 'POST /account/password',
  changeEmail: 'POST /account/email',
  changePhone: 'POST /account/phone',
  linkPassword: 'POST /account/identities',
  linkCode: 'POST /account/identities',
  linkGoogle: 'POST /account/identities',
  recoverAccount: 'POST /account/recover',
  createTenant: 'POST /admin/tenants',
  createOperator: 'POST /admin/operators',
  updateOperator: 'PATCH /admin/operators/:operatorId',
  rotateOperatorKey: 'POST /admin/operators/:operatorId/rotate',
  createConsoleSession: 'POST /admin/session',
  verifyEvents: 'POST /admin/tenants/:tenantId/events/verify',
  verifyDeploymentEvents: 'POST /admin/events/verify',
  replaceConfiguration: 'PUT /admin/tenants/:tenantId/configuration',
} as const

/** Operations sent with the user's access token. */
const ofUser: ReadonlySet<string> = new Set([
  ...['updateProfile', 'checkProfile', 'signOut', 'changePassword', 'changeEmail', 'changePhone'],
  ...['linkPassword', 'linkCode', 'linkGoogle', 'stepUp', 'stepUpByCode', 'stepUpByGoogle'],
])

/** An operation with a body. Each step of a reset and each method of signing in or linking is a separate entry. */
export type BodyOperation = keyof typeof routes
/** Variants of an operation already listed; the checks before field validation are the same. */
const variants: ReadonlySet<string> = new Set([
  ...['signInByCode', 'signInByGoogle', 'stepUpByCode', 'stepUpByGoogle', 'linkPassword', 'linkGoogle'],
])
/** Operations that every hostile body is sent to. */
export const bodyOperations = sampleOf((Object.keys(routes) as BodyOperation[]).filter((name) => !variants.has(name)))

/** Changes to the valid request: a body as text, bytes or JSON, and headers that replace those of the same name. */
interface Attack {
  readonly body?: string | Buffer | object
  readonly headers?: readonly (readonly [name: string, value: string])[]
}

/** A service to attack: a tenant, a signed-in user with a profile, one pending OTP and one verified OTP. */
export interface Target extends AsyncDisposable {
  readonly service: TestService
  readonly tenant: TestTenant
  readonly accessToken: string
  readonly userId: string
  readonly email: string
  readonly password: string
  readonly operatorId: string
  /** Bodies that pass validation; their ID tokens and sign-in codes are rejected afterwards. */
  readonly bodies: Readonly<Record<BodyOperation, Readonly<Record<string, unknown>>>>
  /** The valid request with the attack applied. */
  request(operation: BodyOperation, attack?: Attack): WireRequest
  send(operation: BodyOperation, attack?: Attack): Promise<WireAnswer>
  /** Asserts that the work changes no row and that the service still answers. */
  unchanged(work: () => Promise<void>): Promise<void>
}

/** No server listens here, because no attack may get as far as fetching provider keys. */
const identityProviders = { google: { issuers: ['http://127.0.0.1:9'], jwksUrl: 'http://127.0.0.1:9/keys' } }
const auth = { methods: ['password', 'otp', 'guest', 'google'], google: { clientIds: ['a-client'] } }

export async function startTarget(options: TestServiceOptions = {}): Promise<Target> {
  const service = await startTestService({ identityProviders, ...options })
  const tenant = await service.addTenant({ configuration: { auth } })
  const [email, password] = ['victim@example.com', 'correct horse battery']
  await service.admin.publishProfileSchema(tenant, schemaOfEveryKind)
  const { accessToken, refreshToken, user } = await tenant.client.signUp({ method: 'password', email, password })
  await tenant.client.updateProfile({ fullName: 'Ada Victim' }, { accessToken })
  const pending = await tenant.client.resetPassword({ step: 'challenge', email })
  const verified = await tenant.client.resetPassword({ step: 'challenge', email })
  const scope = 'reset_password'
  await tenant.client.verifyOtp({ id: verified.id, scope, code: await service.codeOf(verified.id) })
  await service.service.services.delivery.drain()
  const { id: operatorId } = await service.admin.createOperator({ name: 'Support', role: 'support' })

  const bodies = {
    resendOtp: { id: pending.id, scope },
    challenge: { step: 'challenge', email },
    confirm: { step: 'confirm', token: verified.id, password: 'a new password' },
    updateProfile: { nickname: 'ada' },
    checkProfile: { nickname: 'ada' },
    checkSignUp: { profile: { nickname: 'ada' } },
    issueOtp: { scope: 'otp_signin', email },
    verifyOtp: { id: pending.id, scope, code: await service.codeOf(pending.id) },
    getOtpStatus: { id: pending.id, scope },
    signUp: { method: 'password', email: 'new@example.com', password },
    signIn: { method: 'password', email, password },
    signInByCode: { method: 'otp', token: verified.id },
    signInByGoogle: { method: 'google', idToken: 'an ID token', nonce: 'a nonce' },
    stepUp: { method: 'password', password },
    stepUpByCode: { method: 'otp', token: verified.id },
    stepUpByGoogle: { method: 'google', idToken: 'an ID token', nonce: 'a nonce' },
    refreshSession: { refreshToken },
    signOut: { scope: 'others' },
    changePassword: { currentPassword: password, password: 'a new password' },
    changeEmail: { email: 'other@example.com' },
    changePhone: { phone: '+33612345678' },
    linkPassword: { method: 'password', email, password: 'a new password' },
    linkCode: { method: 'otp', token: verified.id },
    linkGoogle: { method: 'google', idToken: 'an ID token', nonce: 'a nonce' },
    recoverAccount: { id: verified.id, code: '12345678' },
    createTenant: { name: 'Another' },
    createOperator: { name: 'Another', scopes: ['tenants:read'] },
    updateOperator: { name: 'Another' },
    rotateOperatorKey: { overlapHours: 1 },
    createConsoleSession: { key: testAdminKey },
    verifyEvents: { fromBatch: 1 },
    verifyDeploymentEvents: { fromBatch: 1 },
    replaceConfiguration: { auth: { methods: ['guest'] } },
  }

  function request(operation: BodyOperation, { body = bodies[operation], headers = [] }: Attack = {}): WireRequest {
    const [method, route] = routes[operation].split(' ') as [string, string]
    const isAdmin = route.startsWith('/admin') && operation !== 'createConsoleSession'
    const isOfTenant = !route.startsWith('/admin')
    const valid: [string, string][] = [['content-type', 'application/json']]
    if (isOfTenant) valid.push(['x-tenant-key', tenant.key])
    if (isAdmin) valid.push(['authorization', `Bearer ${testAdminKey}`])
    if (ofUser.has(operation)) valid.push(['authorization', `Bearer ${accessToken}`])
    const replaced = new Set(headers.map(([name]) => name.toLowerCase()))
    return {
      method,
      path: route.replace(':tenantId', tenant.tenantId).replace(':operatorId', operatorId),
      headers: [...valid.filter(([name]) => !replaced.has(name)), ...headers],
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    }
  }

  return {
    service,
    tenant,
    accessToken,
    userId: user.id,
    email,
    password,
    operatorId,
    bodies,
    request,
    send: (operation, attack) => send(service.baseUrl, request(operation, attack)),
    async unchanged(work) {
      const before = dumpDatabase(service)
      const prototypeKeys = Object.getOwnPropertyNames(Object.prototype).length
      await work()
      assert.deepEqual(dumpDatabase(service), before)
      assert.equal(Object.getOwnPropertyNames(Object.prototype).length, prototypeKeys)
      assert.equal((await send(service.baseUrl, { path: '/readyz' })).status, 200)
    },
    [Symbol.asyncDispose]: () => service.close(),
  }
}
