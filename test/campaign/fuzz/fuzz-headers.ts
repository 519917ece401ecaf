import type { Operation } from '../../../contract/operation.ts'
import type { Random } from '../seeded-random.ts'
import type { FuzzFixture } from './fuzz-fixture.ts'
import { anyText } from './fuzz-values.ts'

type Header = readonly [name: string, value: string]

/** A caller's headers, and whether they identify the sound tenant. */
interface FuzzHeaders {
  readonly headers: Header[]
  readonly sound: boolean
}

/** A header value that does not break the line; framing is mutated elsewhere. */
const onOneLine = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 4_000)

/** A credential that is wrong: absent, garbled, cut, another caller's, or repeated. */
function broken(name: string, value: string, random: Random, fixture: FuzzFixture): Header[] {
  const at = random.below(value.length)
  const others = [
    value.slice(0, at),
    `${value.slice(0, at)}x${value.slice(at + 1)}`,
    anyText(random),
    fixture.recall('accessToken', random),
    fixture.adminKey,
  ]
  const other: Header = [name, onOneLine(random.pick(others))]
  return random.pick([
    [],
    [other],
    [other],
    [[name, value], other],
    [
      [name, value],
      [name.toUpperCase(), value],
    ],
  ] as Header[][])
}

const isBroken = (random: Random): boolean => random.next() < 0.08

/** The credentials that the operation requires, sometimes wrong, and unrelated headers. */
export function fuzzHeaders({ auth, body, bodyLines }: Operation, random: Random, fixture: FuzzFixture): FuzzHeaders {
  const headers: Header[] = []
  const add = (name: string, value: string) => {
    headers.push(...(isBroken(random) ? broken(name, value, random, fixture) : [[name, value] as const]))
  }
  const key =
    random.next() < 0.75 ? random.pick(fixture.keys) : random.pick([fixture.ruinedKey, fixture.recall('key', random)])
  if (auth.startsWith('tenant')) add('x-tenant-key', key)
  if (auth === 'tenant, user' || (auth === 'tenant, user?' && random.next() < 0.5)) {
    add('authorization', `Bearer ${fixture.recall('accessToken', random)}`)
  }
  if (auth === 'admin') add('authorization', `Bearer ${fixture.adminKey}`)
  const type = bodyLines === undefined ? 'application/json' : 'application/x-ndjson'
  if (body !== undefined || bodyLines !== undefined)
    headers.push(['content-type', random.next() < 0.96 ? type : random.pick(types)])
  // Always one of a few, so that limits are reached where they are on.
  headers.push(['x-forwarded-for', `10.0.0.${random.below(6)}`])
  if (random.next() < 0.25) headers.push(odd(random, fixture))
  return { headers, sound: fixture.keys.includes(key) }
}

const types = [
  'text/plain',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json; charset=utf-16',
  'x',
  '',
  'application/json;;;',
]

function odd(random: Random, fixture: FuzzFixture): Header {
  const values: Record<string, () => string> = {
    'content-encoding': () => random.pick(['identity', 'gzip', 'br', '']),
    'x-request-id': () => random.pick(['req-1', anyText(random)]),
    'x-client-ip': () => random.pick(['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1', anyText(random)]),
    'x-forwarded-for': () => random.pick(['192.0.2.1, 10.0.0.1', '2001:db8::1', anyText(random)]),
    origin: () => random.pick(['https://app.example', 'https://evil.example', 'null', anyText(random)]),
    'accept-language': () => random.pick(['fr', 'en-GB,en;q=0.9', anyText(random)]),
    'if-match': () =>
      random.pick(['"0"', '"1"', 'W/"1"', '*', '"1", "2"', fixture.recall('etag', random), anyText(random)]),
    'if-none-match': () => random.pick([fixture.recall('etag', random), '*', anyText(random)]),
    'user-agent': () => anyText(random),
    expect: () => random.pick(['100-continue', anyText(random)]),
    upgrade: () => random.pick(['websocket', 'h2c']),
    cookie: () => anyText(random),
    host: () => 'another.example',
    'access-control-request-method': () => 'POST',
    'x-http-method-override': () => 'DELETE',
    [random.pick(['__proto__', 'constructor', 'x-odd'])]: () => anyText(random),
  }
  const name = random.pick(Object.keys(values))
  return [name, onOneLine(values[name]!())]
}
