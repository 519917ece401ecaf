import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { allOperations } from '../../../contract/operations.ts'
import { createTestingChannel } from '../../../server/delivery/testing-channel.ts'
import type { HashCaller } from '../../../server/passwords/password-hasher.ts'
import { createKeyring } from '../../../server/secrets/keyring.ts'
import { generateMasterKeys } from '../../../server/secrets/master-keys.ts'
import { listen } from '../events/event-reader.ts'
import { type RawAnswer, type RawRequest, request } from '../http/raw-request.ts'
import { type IdentityProvider, startIdentityProvider } from '../identity-provider.ts'
import { cheapHasher, startTestService, type TestService } from '../service.ts'
import type { Secrets } from './leak-scan.ts'

/** A part that can fail: a statement, the hash, or the message transport. */
type Part = 'statement' | 'hash' | 'transport'

/** A service whose secrets occur nowhere else, and whose parts can be made to fail. */
export interface Canaries extends AsyncDisposable {
  readonly service: TestService
  readonly google: IdentityProvider
  /** The secrets that must not appear anywhere, by name. */
  readonly secrets: Secrets
  /** Bodies and headers of all refusals so far. */
  readonly errorBodies: string[]
  /** The operations that were called. */
  readonly called: ReadonlySet<string>
  /** Makes this part throw errors that contain its arguments, as libraries do; null ends it. */
  breakPart(part: Part | null): void
  /** The tenant key of subsequent calls. */
  useKey(key: string): void
  /** Sends a request and records it as a call of its operation; keeps the body of an error. */
  call(line: string, raw?: RawRequest): Promise<RawAnswer>
  /** Opens a stream of events with the root key, reads this many and closes it. */
  readStream(path: string, count: number): Promise<void>
  newPassword(): string
  /** An ID token and its raw nonce. */
  newIdToken(sub: string): Promise<{ idToken: string; nonce: string }>
  /** Records the tokens of a sign-in or refresh, and returns the access token. */
  trackAccessToken(answer: RawAnswer): string
  trackSession(answer: RawAnswer): string
  trackKey(answer: RawAnswer): { id: string; key: string }
  trackOperatorKey(answer: RawAnswer): { id: string; key: string }
  /** Records the token of a console session, and returns its `Cookie` header. */
  trackConsole(answer: RawAnswer): { cookie: string }
  /** The latest delivered code. */
  trackCode(otpId: string): Promise<string>
  /** The latest undo code sent to an address. */
  trackUndo(recipient: string): Promise<{ id: string; code: string }>
}

export async function openCanaries(): Promise<Canaries> {
  const secrets: Secrets = new Map()
  const errorBodies: string[] = []
  const called = new Set<string>()
  let broken: Part | null = null
  let tenantKey: { key?: string } = {}
  const masterKeys = generateMasterKeys(0)
  const hasher = cheapHasher()
  const channel = createTestingChannel(createKeyring(masterKeys))
  const google = await startIdentityProvider('google')
  const service = await startTestService({
    masterKeys,
    requestLogMode: 'on',
    identityProviders: google.settings,
    hasher: Object.assign(Object.create(hasher), {
      hash: (password: string, caller: HashCaller) =>
        broken === 'hash' ? fail({ password }) : hasher.hash(password, caller),
      verify: (phc: string, password: string, caller: HashCaller) =>
        broken === 'hash' ? fail({ phc, password }) : hasher.verify(phc, password, caller),
    }),
    transport: {
      canDeliver: () => true,
      deliver: (job, now) => (broken === 'transport' ? fail(job, String(job.code)) : channel.deliver(job, now)),
    },
    hooks: { onStatement: (name) => void (broken === 'statement' && !name.startsWith('caller.') && fail({ name })) },
  })
  for (const [index, text] of masterKeys.split(',').entries()) secrets.set(`master key ${index}`, text.split(':')[1]!)
  secrets.set('operator key', service.adminKey)

  function note(name: string, secret: string): void {
    secrets.set(`${name} ${secrets.size}`, secret)
  }

  function noteCall(method: string | undefined, path: string): void {
    for (const [name, operation] of Object.entries(allOperations)) {
      const form = new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/?]+')}(\\?|$)`)
      if (operation.method === method && form.test(path)) called.add(name)
    }
  }

  const self: Canaries = {
    service,
    google,
    secrets,
    errorBodies,
    called,
    breakPart(part) {
      broken = part
    },
    useKey(key) {
      tenantKey = { key }
    },

    async call(line, raw = {}) {
      const [method, path = ''] = line.split(' ')
      const isAdmin = path.startsWith('/admin')
      const headers = { ...(isAdmin && { authorization: `Bearer ${service.adminKey}` }), ...raw.headers }
      const answer = await request(service, line, { ...tenantKey, ...raw, headers })
      if (answer.status >= 400) errorBodies.push(answer.text + JSON.stringify([...answer.headers]))
      noteCall(method, path)
      return answer
    },

    async readStream(path, count) {
      const reader = await listen(service.baseUrl + path, { authorization: `Bearer ${service.adminKey}` })
      assert.equal(reader.status, 200, path)
      await reader.take(count)
      noteCall('GET', path)
      reader.leave()
    },

    newPassword() {
      const password = `Canary "password" №${secrets.size}`
      note('password', password)
      return password
    },

    async newIdToken(sub) {
      const nonce = `canary nonce ${secrets.size}`
      const idToken = await google.sign({ sub, nonce: hash('sha256', nonce, 'hex'), email: `${sub}@people.example` })
      note('ID token', idToken)
      note('signature of ID token', idToken.split('.')[2]!)
      note('nonce', nonce)
      return { idToken, nonce }
    },

    trackAccessToken({ body: { data } }) {
      note('access token', data.accessToken)
      note('signature of access token', data.accessToken.split('.')[2])
      return data.accessToken
    },

    trackSession(answer) {
      const { data } = answer.body
      self.trackAccessToken(answer)
      note('refresh token', data.refreshToken)
      note('secret of refresh token', /^rt_\w{26}_([\w-]{43})_/.exec(data.refreshToken)![1]!)
      return data.accessToken
    },

    trackKey({ body: { data } }) {
      note('tenant key', data.key)
      note('secret of tenant key', data.key.split('_').at(-2)!)
      return data
    },

    trackOperatorKey({ body: { data } }) {
      note('key of an operator', data.key)
      note('secret of a key of an operator', data.key.split('_')[2])
      return data
    },

    trackConsole({ headers }) {
      const cookie = headers.get('set-cookie')!.split(';')[0]!
      note('token of a console session', cookie.split('=')[1]!)
      return { cookie }
    },

    async trackCode(otpId) {
      await service.service.services.delivery.drain()
      const { body } = await self.call(`GET /admin/testing-channel/messages?otpId=${otpId}`)
      const { code } = body.data.messages.at(-1)
      assert.match(code, /^\d{10}$/)
      note('code', code)
      return code
    },

    async trackUndo(recipient) {
      await service.service.services.delivery.drain()
      const { body } = await self.call(`GET /admin/testing-channel/messages?recipient=${recipient}`)
      const notice = body.data.messages.findLast(({ scope, code }: { scope: unknown; code: unknown }) => !scope && code)
      note('undo code', notice.code)
      return { id: notice.otpId, code: notice.code }
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([service.close(), google.close()])
    },
  }
  return self
}

/** An error that contains the arguments of the call, as libraries throw them. */
function fail(carried: object, message = 'broken on purpose'): never {
  throw Object.assign(new Error(message), { request: carried, body: carried, config: { data: carried } })
}
