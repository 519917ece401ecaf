import { createHmac } from 'node:crypto'
import { type JWTHeaderParameters, SignJWT } from 'jose'
import { ulid } from '../../../server/core/ids.ts'
import type { TestService } from '../service.ts'

/** The claims of a genuine token, from which forgeries are made. */
export interface GenuineClaims {
  readonly tenantId: string
  readonly userId: string
  readonly sessionId: string
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token signed with the service's key, with wrong claims. */
export async function signedByUs(
  { service, clock }: TestService,
  who: GenuineClaims,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const { kid, privateKey } = service.services.signingKeys.current(clock.now())
  const protectedHeader = { alg: 'ES256', typ: 'at+jwt', kid, ...header } as JWTHeaderParameters
  return new SignJWT(payloadOf(clock.now(), who, claims)).setProtectedHeader(protectedHeader).sign(privateKey)
}

function payloadOf(now: number, { tenantId, userId, sessionId }: GenuineClaims, claims: Record<string, unknown>) {
  const iat = Math.floor(now / 1000)
  const genuine = { iss: 'http://tenantry.test', aud: tenantId, sub: userId, sid: sessionId, jti: ulid(now) }
  return { ...genuine, iat, exp: iat + 900, amr: ['pwd'], guest: false, ...claims }
}

const hmac = (key: string | Buffer, header: object, payload: object): string => {
  const signed = `${encode(header)}.${encode(payload)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

const flipCase = (text: string, at: number): string => {
  const character = text.charAt(at)
  const other = character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()
  return text.slice(0, at) + other + text.slice(at + 1)
}

/** Invalid tokens by their defect (threat F11); each is answered with 401 INVALID_USER_TOKEN. */
export async function forgedTokens(
  service: TestService,
  who: GenuineClaims,
  genuine: string,
): Promise<Record<string, string>> {
  const { kid } = service.service.services.signingKeys.current(service.clock.now())
  const [head = '', body = '', signature = ''] = genuine.split('.')
  const [jwk] = JSON.parse(service.service.services.signingKeys.jwks(service.clock.now())).keys
  const payload = payloadOf(service.clock.now(), who, {})
  const seconds = Math.floor(service.clock.now() / 1000)
  const typ = 'at+jwt'
  const unsigned = (header: object) => `${encode(header)}.${body}.`
  const claims = (changed: Record<string, unknown>) => signedByUs(service, who, changed)
  const header = (changed: Record<string, unknown>) => signedByUs(service, who, {}, changed)
  const withHeader = (changed: Record<string, unknown>) =>
    `${encode({ alg: 'ES256', typ, kid, ...changed })}.${body}.${signature}`
  const pem = Buffer.from(jwk.x + jwk.y)

  return {
    'alg none': unsigned({ alg: 'none', typ, kid }),
    'alg nOnE': unsigned({ alg: 'nOnE', typ, kid }),
    'alg none with the signature': `${encode({ alg: 'none', typ, kid })}.${body}.${signature}`,
    'no alg': `${encode({ typ, kid })}.${body}.${signature}`,
    'HS256 with the public key': hmac(JSON.stringify(jwk), { alg: 'HS256', typ, kid }, payload),
    'HS256 with the public point': hmac(pem, { alg: 'HS256', typ, kid }, payload),
    'HS256 with an empty key': hmac('', { alg: 'HS256', typ, kid }, payload),
    'HS256 with a blank key': hmac(' ', { alg: 'HS256', typ, kid }, payload),
    'ES384 by name': withHeader({ alg: 'ES384' }),
    'kid a path': await header({ kid: '../../../../dev/null' }),
    'kid SQL': await header({ kid: "x' UNION SELECT 'k' --" }),
    'kid a URL': await header({ kid: 'https://evil.example/key' }),
    'kid missing': await header({ kid: undefined }),
    'kid a number': await header({ kid: 1 }),
    'kid __proto__': await header({ kid: '__proto__' }),
    'jku of an attacker': withHeader({ kid: 'evil', jku: 'https://evil.example/jwks.json' }),
    'jwk brought along': withHeader({ kid: undefined, jwk }),
    'x5u of an attacker': withHeader({ kid: undefined, x5u: 'https://evil.example/cert.pem' }),
    'unknown crit': `${encode({ alg: 'ES256', typ, kid, crit: ['exp2'], exp2: 1 })}.${body}.${signature}`,
    'two dots': '..',
    'one part': head,
    'four parts': `${genuine}.${signature}`,
    'a JWE': `${encode({ alg: 'dir', enc: 'A256GCM', typ, kid })}..${body}.${body}.${signature}`,
    'header not JSON': `${Buffer.from('{').toString('base64url')}.${body}.${signature}`,
    'header null': `${encode(null)}.${body}.${signature}`,
    'header an array': `${encode([])}.${body}.${signature}`,
    'payload no object': `${head}.${encode('x')}.${signature}`,
    '10 kB': `${head}.${encode({ ...payload, filler: 'x'.repeat(10_000) })}.${signature}`,
    '10 kB, signed': await claims({ filler: 'x'.repeat(10_000) }),
    'typ JWT': await header({ typ: 'JWT' }),
    'typ of another purpose': await header({ typ: 'logout+jwt' }),
    'no typ': await header({ typ: undefined }),
    'no exp': await claims({ exp: undefined }),
    'exp a string': await claims({ exp: String(seconds + 900) }),
    'exp past': await claims({ exp: seconds - 1 }),
    'exp now': await claims({ exp: seconds }),
    'exp NaN': await claims({ exp: null }),
    'nbf future': await claims({ nbf: seconds + 600 }),
    'iat future': await claims({ iat: seconds + 600 }),
    'no iat': await claims({ iat: undefined }),
    'aud an array': await claims({ aud: [who.tenantId] }),
    'aud of two': await claims({ aud: [who.tenantId, 'another'] }),
    'aud another': await claims({ aud: ulid(service.clock.now()) }),
    'no aud': await claims({ aud: undefined }),
    'iss another': await claims({ iss: 'http://evil.example' }),
    'no iss': await claims({ iss: undefined }),
    'no sid': await claims({ sid: undefined }),
    'unknown sid': await claims({ sid: ulid(service.clock.now()) }),
    'sid a number': await claims({ sid: 1 }),
    'sub another': await claims({ sub: ulid(service.clock.now()) }),
    'sub a number': await claims({ sub: 1 }),
    'no sub': await claims({ sub: undefined }),
    'no jti': await claims({ jti: undefined }),
    'the signature of another token': `${genuine.slice(0, genuine.lastIndexOf('.'))}.${(await claims({})).split('.')[2]}`,
    'payload changed': `${head}.${encode({ ...payload, guest: true })}.${signature}`,
    'signature of zeros': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    'no signature': `${head}.${body}.`,
    ...Object.fromEntries([1, 2, 10, 50, 86].map((cut) => [`cut short by ${cut}`, genuine.slice(0, -cut)])),
    ...Object.fromEntries(
      [1, 40, head.length + 5, genuine.length - 1].map((at) => [`case at ${at}`, flipCase(genuine, at)]),
    ),
    'a letter in front': `x${genuine}`,
    'trailing padding': `${genuine}==`,
    'stray trailing bits': genuine.slice(0, -1) + String.fromCharCode(genuine.charCodeAt(genuine.length - 1) + 1),
    'a tenant key': `tk_pub_${ulid(service.clock.now())}`,
    'the operator key': service.adminKey,
  }
}
