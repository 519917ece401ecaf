import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TenantModules } from './tenant-modules.ts'

const auth = { methods: ['otp'] }
const upload = { allowedTypes: [], maxSize: 1 }
const accepts = (configuration: object) => TenantModules.safeParse(configuration).success
const times = (count: number, value: unknown) => Array.from({ length: count }, () => value)

test('accepts whole numbers of a range', () => {
  const ranges: [(value: unknown) => object, min: number, max: number][] = [
    [(idleDays) => ({ auth: { ...auth, guest: { idleDays } } }), 1, 3650],
    [(length) => ({ otp: { length } }), 4, 10],
    [(ttlSeconds) => ({ otp: { ttlSeconds } }), 1, 3600],
    [(resendIntervalSeconds) => ({ otp: { resendIntervalSeconds } }), 0, 3600],
    [(maxResends) => ({ otp: { maxResends } }), 0, 20],
    [(maxVerifyAttempts) => ({ otp: { maxVerifyAttempts } }), 1, 10],
    [(maxSize) => ({ upload: { ...upload, maxSize } }), 1, Number.MAX_SAFE_INTEGER],
    [(freshSeconds) => ({ security: { freshSeconds } }), 60, 86_400],
    [(smsDailyBudget) => ({ delivery: { smsDailyBudget } }), 0, 10_000_000],
    [(days) => ({ events: { days } }), 1, 3650],
    [(operatorDays) => ({ events: { operatorDays } }), 1, 3650],
  ]
  for (const [configuration, min, max] of ranges) {
    for (const value of [min, max]) assert.ok(accepts(configuration(value)), JSON.stringify(configuration(value)))
    for (const value of [min - 1, max + 1, min + 0.5, `${min}`]) {
      assert.ok(!accepts(configuration(value)), JSON.stringify(configuration(value)))
    }
  }
})

test('limits the length of lists', () => {
  const lists: [(list: unknown[]) => object, most: number, item: string][] = [
    [(methods) => ({ auth: { methods } }), 6, 'otp'],
    [(clientIds) => ({ auth: { ...auth, google: { clientIds } } }), 20, 'client'],
    [(allowedTypes) => ({ upload: { ...upload, allowedTypes } }), 100, 'image/*'],
    [(allowedOrigins) => ({ security: { allowedOrigins } }), 100, 'https://app.example.com'],
    [(smsCountries) => ({ delivery: { smsCountries } }), 300, 'FR'],
  ]
  for (const [configuration, most, item] of lists) {
    assert.ok(accepts(configuration(times(most, item))), item)
    assert.ok(!accepts(configuration(times(most + 1, item))), item)
  }
  assert.ok(!accepts({ auth: { ...auth, google: { clientIds: [] } } }))
})

test('limits the length and the characters of texts', () => {
  const long = (length: number) => `${'a.'.repeat(124)}${'x'.repeat(length - 248)}`
  const cases: [(text: string) => object, accepted: string[], refused: string[]][] = [
    [
      (id) => ({ auth: { ...auth, apple: { clientIds: [id] } } }),
      ['!', '~'.repeat(255)],
      ['', '~'.repeat(256), 'a b', 'é', 'a\n'],
    ],
    [(type) => ({ upload: { ...upload, allowedTypes: [type] } }), ['image/svg+xml', 'a/*'], ['image', '*/*', 'a/b/c']],
    [
      (name) => ({ delivery: { from: { address: 'a@example.com', name } } }),
      ['😀'.repeat(100)],
      ['', 'x'.repeat(101), '\0'],
    ],
    [
      (webOtpDomain) => ({ delivery: { webOtpDomain } }),
      ['a.fr', `${'x'.repeat(63)}.fr`, long(253), 'xn--e1afmkfd.xn--p1ai'],
      ['fr', 'a.1', 'é.fr', `${'x'.repeat(64)}.fr`, long(254), 'A.fr', '-a.fr', 'a-.fr', 'a.fr.', 'a.fr:443', 'a.fr\n'],
    ],
    [(name) => ({ [name]: 1 }), ['x', `X${'-'.repeat(63)}`], ['', `X${'-'.repeat(64)}`, '1x', 'é', 'a.b']],
  ]
  for (const [configuration, accepted, refused] of cases) {
    for (const value of accepted) assert.ok(accepts(configuration(value)), value)
    for (const value of refused) assert.ok(!accepts(configuration(value)), value)
  }
})

test('accepts only the origins that browsers send', () => {
  const isOrigin = (origin: string) => accepts({ security: { allowedOrigins: [origin] } })
  for (const origin of ['https://app.example.com', 'http://localhost:4300', 'https://[::1]']) {
    assert.ok(isOrigin(origin), origin)
  }
  for (const origin of [
    ...['', '*', 'null', 'app.example.com', 'https://*.example.com', 'https://App.example.com', 'ftp://example.com'],
    ...['https://example.com/', 'https://example.com:443', 'https://a@example.com', 'capacitor://localhost'],
  ]) {
    assert.ok(!isOrigin(origin), origin)
  }
})
