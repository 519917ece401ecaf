import type { Operation } from '../../../contract/operation.ts'
import { type OperationName, operations } from '../../../contract/operations.ts'
import { bytesOf } from '../../support/http/wire.ts'
import type { Random } from '../seeded-random.ts'
import { bodies } from './fuzz-bodies.ts'
import type { FuzzFixture } from './fuzz-fixture.ts'
import { fuzzHeaders } from './fuzz-headers.ts'
import { anyJson, anyText, mutateBytes, mutateJson } from './fuzz-values.ts'

/** One request of the fuzzer, with the facts that the oracle needs. */
export interface FuzzRequest {
  readonly bytes: Buffer
  readonly method: string
  /** Null when method or path were changed: it may be any operation or none. */
  readonly operation: OperationName | null
  /** Whether bytes of the request were changed: it may not be HTTP at all. */
  readonly isBroken: boolean
  /** Whether it has a key of the sound tenant, which must never get a 5xx. */
  readonly sound: boolean
}

const names = Object.keys(operations) as OperationName[]
/** The operations of the contract are chosen most often. */
const weighted: readonly OperationName[] = [
  ...names,
  ...Array.from(
    { length: 6 },
    () => ['resendOtp', 'resetPassword', 'getTenantConfiguration', 'updateProfile'] as const,
  ).flat(),
  ...Array.from(
    { length: 3 },
    () => ['issueOtp', 'verifyOtp', 'getOtpStatus', 'signUp', 'signIn', 'listTestingChannelMessages'] as const,
  ).flat(),
  ...(['refreshSession', 'addIdentity', 'removeIdentity', 'changeEmail', 'getAccount', 'signIn'] as const),
]

/** Operations that would break the sound tenant use other tenants. */
const ruinous: ReadonlySet<OperationName> = new Set([
  'updateTenant',
  'replaceConfiguration',
  'updateConfiguration',
  'publishProfileSchema',
  'deleteTenant',
])

export function fuzzRequest(random: Random, fixture: FuzzFixture): FuzzRequest {
  const name = random.pick(weighted)
  const operation: Operation = operations[name]
  const { headers, sound } = fuzzHeaders(operation, random, fixture)
  const isElsewhere = random.next() < 0.06
  const isBroken = random.next() < 0.05
  // A changed path or method could delete the sound tenant.
  const spare = isElsewhere || isBroken || ruinous.has(name)
  const proper = fillPath(operation, spare, random, fixture) + fuzzQuery(operation, random, fixture)
  const path = isElsewhere && random.next() < 0.6 ? mutatePath(proper, random) : proper
  const method = isElsewhere && random.next() < 0.6 ? random.pick(methods) : operation.method
  const takesBody = operation.body !== undefined || operation.bodyLines !== undefined
  const body = takesBody ? fuzzBody(name, random, fixture) : undefined
  const isSame = path === proper && method === operation.method
  const bytes = bytesOf({
    method,
    path,
    headers: isBroken ? [...headers, ['connection', 'close']] : headers,
    ...(body !== undefined && { body }),
  })
  return {
    bytes: isBroken ? mutateBytes(bytes, random) : bytes,
    method,
    operation: isSame && !isBroken ? name : null,
    isBroken,
    sound,
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']

function fillPath({ method, path }: Operation, spare: boolean, random: Random, fixture: FuzzFixture): string {
  const known = (parameter: string): string => {
    if (random.next() < 0.05) return anyText(random)
    if (parameter === 'userId') return fixture.recall('user', random)
    if (parameter === 'keyId') return keyIdOf(fixture.recall('key', random))
    if (parameter === 'sessionId') return fixture.recall('session', random)
    if (parameter === 'messageId') return fixture.recall('message', random)
    if (parameter === 'identityId')
      return random.pick(['password', 'email', 'phone', fixture.recall('identity', random)])
    if (!spare && random.next() < 0.6) return fixture.tenantId
    const tenant = fixture.recall('tenant', random)
    // The tenant whose key is in use may be reconfigured but not deleted.
    return method === 'DELETE' && tenant === fixture.ruinedTenantId ? 'unknown' : tenant
  }
  return path.replace(/:(\w+)/g, (_, parameter: string) => encode(known(parameter)))
}

/** `tk_pub_<id>_…` */
const keyIdOf = (key: string): string => key.split('_')[2] ?? key

const encode = (text: string): string => encodeURIComponent(text.toWellFormed()).slice(0, 3_000)

function fuzzQuery({ query }: Operation, random: Random, fixture: FuzzFixture): string {
  if (query === undefined || random.next() < 0.3) return random.next() < 0.03 ? `?${encode(anyText(random))}` : ''
  const good: Record<string, () => string> = {
    limit: () => random.pick(['1', '2', '200', '201', '0']),
    cursor: () => fixture.recall('cursor', random),
    email: () => fixture.recall('email', random),
    phone: () => random.pick(['+33612345678', '+14155550100']),
    id: () => fixture.recall('user', random).slice(0, 1 + random.below(26)),
    version: () => random.pick(['1', 'v1', '2']),
    schemaVersion: () => random.pick(['v1', '1', 'V1']),
    tenantId: () => fixture.tenantId,
    otpId: () => fixture.recall('otp', random),
    recipient: () => fixture.recall('email', random),
  }
  const parameters = Object.keys(query.shape).filter(() => random.next() < 0.6)
  const written = parameters.map(
    (name) => `${name}=${encode(random.next() < 0.2 ? anyText(random) : (good[name]?.() ?? ''))}`,
  )
  if (random.next() < 0.1) written.push(random.pick(['__proto__=1', 'limit=1&limit=2', 'a[b]=c', '%zz=1', '&&=']))
  return written.length > 0 ? `?${written.join('&')}` : ''
}

const pieces = [
  '/',
  '//',
  '%',
  '%zz',
  '%00',
  '%2f',
  '..',
  '.',
  ';a=b',
  '#',
  '?',
  '\\',
  '*',
  '%C0%AF',
  'é',
  '/docs',
  '/admin',
  'A',
]

function mutatePath(path: string, random: Random): string {
  const at = random.below(path.length) + 1
  const changed = path.slice(0, at) + random.pick(pieces) + path.slice(at + random.below(2))
  return random.next() < 0.1 ? `http://evil.example${changed}` : changed
}

function fuzzBody(name: OperationName, random: Random, fixture: FuzzFixture): string | Buffer {
  const good = JSON.stringify(bodies[name]?.(random, fixture) ?? {})
  const kind = random.next()
  if (kind < 0.6) return good
  if (kind < 0.85) return mutateJson(good, random)
  if (kind < 0.93) return mutateBytes(Buffer.from(good), random)
  if (kind < 0.97) return anyJson(random, 40)
  if (kind < 0.99) return ''
  return random.pick(['[', '{"a":', ' ', '"']).repeat(random.pick([33, 65_535, 65_536, 70_000]))
}
