import type { Random } from '../seeded-random.ts'

/** Texts that are known to break parsers, databases, templates or logs. */
const nasty = [
  '',
  ' ',
  'x',
  '0',
  '-1',
  '1e400',
  'null',
  'true',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u2028',
  '\u202e',
  'ｆｕｌｌ',
  '💥'.repeat(8),
  'e\u0301'.repeat(20),
  '\r\nx-evil: 1',
  '\u001b[31m',
  "' OR 1=1--",
  '"; DROP TABLE otps;--',
  '%',
  '_',
  '$1',
  '{{7*7}}',
  `$${'{7*7}'}`,
  '<script>',
  '../../etc/passwd',
  'C:\\',
  'user@example.com',
  'USER@EXAMPLE.COM',
  'user@münchen.de',
  'user@localhost',
  '"a b"@example.com',
  'a@b@c',
  '+33612345678',
  '+1 (555) 010-0000',
  '+0',
  'https://example.com/',
  'javascript:alert(1)',
  '2024-02-29',
  '2023-02-29',
  '2024-01-01T00:00:00Z',
  '23:59:59.999',
  '01KF0RDQG0M09RP0YK7HR3P67C',
  '01kf0rdqg0m09rp0yk7hr3p67c',
  'correct horse battery',
  '(a+)+$',
  '^[a-z]{1,10}$',
  '[',
  'otp_signin',
  'reset_password',
  'challenge',
  'confirm',
  'password',
]

/** Numbers at the limits of JSON, doubles and databases, as text. */
const numbers = [
  '0',
  '-0',
  '1',
  '-1',
  '0.1',
  '1e3',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740991',
  '9007199254740993',
  '4294967296',
  '5e-324',
  '9'.repeat(60),
]

/** A text, usually a hostile one. */
export function anyText(random: Random): string {
  const kind = random.below(10)
  if (kind < 7) return random.pick(nasty)
  if (kind < 8) return random.pick(nasty) + random.pick(nasty)
  if (kind < 9)
    return random.pick(['a', '💥', '\0', '9', ' ', '[']).repeat(random.pick([7, 8, 64, 255, 1024, 2049, 20_001]))
  return Array.from({ length: random.below(20) }, () => String.fromCharCode(random.below(0x10000))).join('')
}

/** Any JSON value as text, because some values cannot be represented in JavaScript. */
export function anyJson(random: Random, depth = 3): string {
  const kind = random.below(depth > 0 ? 10 : 7)
  if (kind < 3) return textAsJson(anyText(random))
  if (kind < 5) return random.pick(numbers)
  if (kind < 7) return random.pick(['null', 'true', 'false'])
  const length = random.below(4)
  if (kind < 9) return `[${Array.from({ length }, () => anyJson(random, depth - 1)).join(',')}]`
  return `{${Array.from({ length }, () => `${textAsJson(anyText(random))}:${anyJson(random, depth - 1)}`).join(',')}}`
}

/** `JSON.stringify` escapes lone surrogates; a body may also contain bytes that no encoder writes. */
const textAsJson = (text: string): string => JSON.stringify(text)

/** Changes, drops, doubles or inserts some bytes; the result always differs. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let mutated = bytes
  for (let change = random.pick([1, 1, 1, 2, 5]); change > 0; change--) mutated = mutateOnce(mutated, random)
  return mutated
}

const interesting = [
  0x00, 0x09, 0x0a, 0x0d, 0x20, 0x22, 0x25, 0x2c, 0x2f, 0x3a, 0x3b, 0x5b, 0x5c, 0x7b, 0x7d, 0x7f, 0x80, 0xc0, 0xed,
  0xff,
]

function mutateOnce(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1)
  const byte = random.next() < 0.7 ? random.pick(interesting) : random.below(256)
  const [before, behind] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (random.below(6)) {
    case 0:
      return Buffer.concat([before, Buffer.from([byte]), behind.subarray(1)])
    case 1:
      return Buffer.concat([before, Buffer.from([byte]), behind])
    case 2:
      return Buffer.concat([before, behind.subarray(1 + random.below(8))])
    case 3:
      return Buffer.concat([before, behind.subarray(0, 1 + random.below(64)), behind])
    case 4:
      return before
    default:
      return Buffer.concat([before, Buffer.alloc(random.pick([1, 2, 100, 5000]), byte), behind])
  }
}

/** Changes, drops, doubles, renames or adds members of a JSON object; the result is still valid JSON. */
export function mutateJson(json: string, random: Random): string {
  const value: unknown = JSON.parse(json)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || random.next() < 0.05)
    return anyJson(random)
  const members = Object.entries(value).map(
    ([name, member]) => [textAsJson(name), JSON.stringify(member)] as [string, string],
  )
  for (let change = random.pick([1, 1, 2, 3]); change > 0; change--) {
    const at = random.below(members.length)
    const member = members[at]
    const kind = random.below(6)
    if (member === undefined || kind === 0) members.splice(at, 0, [textAsJson(anyText(random)), anyJson(random)])
    else if (kind === 1) members.splice(at, 1)
    else if (kind === 2) members.push([member[0], anyJson(random)])
    else if (kind === 3) members.splice(at, 1, [textAsJson(anyText(random)), member[1]])
    else if (kind === 4 && /^[{[]/.test(member[1])) member[1] = mutateJson(member[1], random)
    else member[1] = anyJson(random)
  }
  const gap = random.pick(['', '', ' ', '\n\t'])
  return `{${members.map(([name, member]) => `${gap}${name}:${member}`).join(',')}}`
}
