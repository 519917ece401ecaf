import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultHashMemoryMiB } from '../passwords/hash-memory.ts'
import { problemsOf } from './config.testkit.ts'
import { readConfig } from './read-config.ts'

const adminKey = 'an-admin-key-of-at-least-32-characters'

test('defaults to development on 127.0.0.1:4000 with a file in ./data', () => {
  const config = readConfig({})
  assert.equal(config.environment, 'development')
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.port, 4000)
  assert.deepEqual(config.database, { engine: 'sqlite', path: './data/tenantry.db' })
  assert.equal(config.publicUrl, 'http://127.0.0.1:4000')
  assert.equal(config.logLevel, 'warn')
  assert.equal(config.requestLog, 'errors')
  assert.equal(config.signingKeyDays, 90)
  assert.equal(config.retentionDays, 7)
  assert.equal(config.profileBytes, 262_144)
  assert.equal(config.hashMemoryMiB, defaultHashMemoryMiB())
  assert.deepEqual(config.limits['reset-password'], { quota: 10, windowSeconds: 3600 })
})

test('listens on all addresses and requires an admin key outside development', () => {
  assert.equal(readConfig({ TENANTRY_ENVIRONMENT: 'staging', TENANTRY_ADMIN_KEY: adminKey }).host, '0.0.0.0')
  assert.match(problemsOf({ TENANTRY_ENVIRONMENT: 'staging' }).join(), /TENANTRY_ADMIN_KEY: required; set it/)
})

test('requires the issuer in production, and warns without it on PostgreSQL elsewhere', () => {
  const production = { TENANTRY_ENVIRONMENT: 'production', TENANTRY_ADMIN_KEY: adminKey }
  const whole = { ...production, TENANTRY_MASTER_KEYS: `k1:${Buffer.alloc(32).toString('base64')}` }
  const url = { TENANTRY_PUBLIC_URL: 'https://accounts.example.com/' }
  const postgres = { DATABASE_URL: 'postgres://user:secret@db/accounts', PORT: '4001' }
  for (const database of [{}, postgres]) {
    const problems = problemsOf({ ...whole, ...database })
    assert.match(
      problems.join('\n'),
      /^TENANTRY_PUBLIC_URL: required in production, .* such as https:\/\/accounts\.example\.com$/,
    )
  }
  assert.equal(readConfig({ ...whole, ...url }).publicUrl, 'https://accounts.example.com')
  const warningsOf = (env: Record<string, string>) => readConfig(env).warnings
  const [warning = '', ...others] = warningsOf(postgres)
  assert.match(
    warning,
    /^TENANTRY_PUBLIC_URL: not set; .* http:\/\/127\.0\.0\.1:4001, .* reject them\. To avoid this, set it to /,
  )
  assert.deepEqual(others, [])
  for (const quiet of [{}, { ...postgres, ...url }, { ...whole, ...postgres, ...url }])
    assert.deepEqual(warningsOf(quiet), [])
})

test('logs requests outside development unless TENANTRY_REQUEST_LOG is set', () => {
  const staging = { TENANTRY_ENVIRONMENT: 'staging', TENANTRY_ADMIN_KEY: adminKey }
  assert.equal(readConfig(staging).requestLog, 'on')
  for (const mode of ['on', 'off', 'errors']) {
    for (const env of [staging, {}]) assert.equal(readConfig({ ...env, TENANTRY_REQUEST_LOG: mode }).requestLog, mode)
  }
})

test('accepts any memory for hashing from that of one hash', () => {
  for (const memory of [19, 256, 1_048_576]) {
    assert.equal(readConfig({ TENANTRY_HASH_MEMORY: String(memory) }).hashMemoryMiB, memory)
  }
  for (const memory of ['18', '1048577', '256m', '-1']) {
    assert.deepEqual(problemsOf({ TENANTRY_HASH_MEMORY: memory }), [
      `TENANTRY_HASH_MEMORY: "${memory}" is not valid; allowed: whole numbers from 19 to 1048576`,
    ])
  }
})

test('rejects an admin key of 31 characters, and accepts one of 32 and off', () => {
  assert.match(problemsOf({ TENANTRY_ADMIN_KEY: 'x'.repeat(31) }).join(), /at least 32 characters/)
  for (const key of ['x'.repeat(32), 'off']) assert.deepEqual(problemsOf({ TENANTRY_ADMIN_KEY: key }), [])
})

test('rejects an admin key that is not a bearer token, without quoting it', () => {
  for (const key of ['correct horse battery staple, twice over', ' '.repeat(32), `${adminKey}é`, `=${adminKey}`]) {
    const problems = problemsOf({ TENANTRY_ADMIN_KEY: key }).join('\n')
    assert.match(problems, /^TENANTRY_ADMIN_KEY: invalid characters; only letters, digits and .+$/)
    assert.ok(!problems.includes(key))
  }
  assert.deepEqual(problemsOf({ TENANTRY_ADMIN_KEY: `${'aZ09-._~+/'.repeat(4)}==` }), [])
})

test('rejects a public URL with credentials, query or fragment', () => {
  assert.equal(readConfig({ TENANTRY_PUBLIC_URL: 'https://a.example/auth/' }).publicUrl, 'https://a.example/auth')
  for (const wrong of ['/?x=1', '/?', '#x', ' ', '\n', '@b.example'])
    assert.match(
      problemsOf({ TENANTRY_PUBLIC_URL: `https://a.example${wrong}` }).join(),
      /^TENANTRY_PUBLIC_URL: must be a URL such as https:\/\/accounts\.example\.com/,
    )
})

test('reports every invalid value and every unknown setting', () => {
  const wrong = {
    PORT: '65536',
    METRICS_PORT: '0',
    LOG_LEVEL: 'loud',
    TENANTRY_REQUEST_LOG: 'all',
    TENANTRY_LIMITS: 'resend=lots',
    TENANTRY_TRUSTED_PROXIES: '10.0.0.0/33',
    TENANTRY_PUBLIC_URL: 'accounts.example.com',
    TENANTRY_MASTER_KEYS: 'k1:short',
    TENANTRY_RETENTION_DAYS: '0',
    TENANTRY_SIGNING_KEY_DAYS: '3651',
    DATABASE_URL: 'postgres://localhost/tenantry',
    VALKEY_URL: 'valkey://default@localhost',
    TENANTRY_LIMIT: 'resend=off',
  }
  const problems = problemsOf(wrong)
  for (const name of Object.keys(wrong)) assert.match(problems.join('\n'), new RegExp(`^${name}: `, 'm'))
  assert.equal(problems.length, Object.keys(wrong).length)
})

test('names the setting that has a name without the prefix', () => {
  assert.deepEqual(problemsOf({ TENANTRY_METRICS_PORT: '9464' }), [
    'TENANTRY_METRICS_PORT: unknown setting; its name is METRICS_PORT',
  ])
})

test('accepts only digits in numbers', () => {
  for (const PORT of ['0x50', '8e1', '80.0', ' 80', '+80', 'eighty'])
    assert.deepEqual(problemsOf({ PORT }), [`PORT: "${PORT}" is not valid; allowed: whole numbers from 0 to 65535`])
})

test('accepts settings of the command and the demo', () => {
  const theirs = ['TENANTRY_URL', 'TENANTRY_TENANT', 'TENANTRY_OPERATOR_KEY', 'TENANTRY_SECRETS']
  assert.deepEqual(problemsOf(Object.fromEntries(theirs.map((name) => [name, 'x']))), [])
})

test('accepts a maximum profile size from 1 KiB to 16 MiB', () => {
  assert.equal(readConfig({ TENANTRY_PROFILE_BYTES: '1024' }).profileBytes, 1024)
  assert.equal(readConfig({ TENANTRY_PROFILE_BYTES: '16777216' }).profileBytes, 16_777_216)
  for (const wrong of ['1023', '16777217', '256k', '-1', '1.5']) {
    assert.deepEqual(problemsOf({ TENANTRY_PROFILE_BYTES: wrong }), [
      `TENANTRY_PROFILE_BYTES: "${wrong}" is not valid; allowed: whole numbers from 1024 to 16777216`,
    ])
  }
})

test('drains for 5 s, 0 s in development, or as set from 0 to 300', () => {
  const staging = { TENANTRY_ENVIRONMENT: 'staging', TENANTRY_ADMIN_KEY: adminKey }
  assert.equal(readConfig({}).drainSeconds, 0)
  assert.equal(readConfig(staging).drainSeconds, 5)
  assert.equal(readConfig({ ...staging, TENANTRY_DRAIN_SECONDS: '0' }).drainSeconds, 0)
  assert.equal(readConfig({ TENANTRY_DRAIN_SECONDS: '300' }).drainSeconds, 300)
  for (const wrong of ['301', '-1', '1.5', '5s']) {
    assert.deepEqual(problemsOf({ TENANTRY_DRAIN_SECONDS: wrong }), [
      `TENANTRY_DRAIN_SECONDS: "${wrong}" is not valid; allowed: whole numbers from 0 to 300`,
    ])
  }
})

test('serves metrics without a key only on METRICS_PORT, which differs from PORT', () => {
  assert.equal(readConfig({}).metricsPort, null)
  assert.equal(readConfig({ METRICS_PORT: '9464' }).metricsPort, 9464)
  assert.deepEqual(problemsOf({ METRICS_PORT: '4000' }), ['METRICS_PORT: must differ from PORT'])
})

test('moves /admin to ADMIN_PORT, on ADMIN_HOST or HOST', () => {
  assert.equal(readConfig({}).admin, null)
  assert.deepEqual(readConfig({ ADMIN_PORT: '4001' }).admin, { host: '127.0.0.1', port: 4001 })
  assert.deepEqual(readConfig({ ADMIN_PORT: '4001', HOST: '0.0.0.0' }).admin, { host: '0.0.0.0', port: 4001 })
  const both = { ADMIN_PORT: '4001', HOST: '0.0.0.0', ADMIN_HOST: '10.0.0.7' }
  assert.deepEqual(readConfig(both).admin, { host: '10.0.0.7', port: 4001 })
  assert.equal(readConfig(both).host, '0.0.0.0')
})

test('rejects an ADMIN_PORT equal to another port, and ADMIN_HOST without it', () => {
  assert.deepEqual(problemsOf({ ADMIN_PORT: '4000' }), ['ADMIN_PORT: must differ from PORT'])
  assert.deepEqual(problemsOf({ ADMIN_PORT: '9464', METRICS_PORT: '9464' }), [
    'ADMIN_PORT: must differ from METRICS_PORT',
  ])
  assert.deepEqual(problemsOf({ ADMIN_HOST: '127.0.0.1' }), [
    'ADMIN_HOST: has no effect without ADMIN_PORT; set both or neither',
  ])
  for (const ADMIN_PORT of ['0', '65536', 'x']) {
    assert.match(
      problemsOf({ ADMIN_PORT }).join(),
      /^ADMIN_PORT: ".+" is not valid; allowed: whole numbers from 1 to 65535$/,
    )
  }
})

test('quotes no secret in a problem', () => {
  const secret = 'k1:c2hvcnQtYnV0LXNlY3JldA=='
  assert.doesNotMatch(
    problemsOf({ TENANTRY_MASTER_KEYS: secret, TENANTRY_ADMIN_KEY: 'too-short' }).join(),
    /c2hvcnQ|too-short/,
  )
})

test('parses VALKEY_URL and reports problems without quoting the password', () => {
  const valkey = (url: string) => readConfig({ VALKEY_URL: url }).valkey
  const plain = { host: '10.0.0.5', port: 6379, db: 0, tls: false }
  assert.equal(readConfig({}).valkey, null)
  assert.deepEqual(valkey('valkey://10.0.0.5'), plain)
  assert.deepEqual(valkey('redis://10.0.0.5:6380/'), { ...plain, port: 6380 })
  assert.deepEqual(valkey('valkeys://[fd00::5]/15'), { ...plain, host: 'fd00::5', db: 15, tls: {} })
  const withUser = { username: 'limits', password: 'p@ss/word' }
  assert.deepEqual(valkey('rediss://limits:p%40ss%2Fword@10.0.0.5'), { ...plain, ...withUser, tls: {} })
  assert.deepEqual(valkey('redis://:secret@10.0.0.5/2'), { ...plain, password: 'secret', db: 2 })
  const form = /^VALKEY_URL: must look like valkey:.* of a password are written %23 /
  const unknown = /^VALKEY_URL: has an unknown parameter; allowed parameters: cacert=<file>, cert=<file>, key=<file>$/
  for (const [url, expected] of [
    ...['secret', 'http://:secret@a', 'valkey://', 'valkey:secret', 'valkey://:secret@a:0'].map((url) => [url, form]),
    ...['/x', '/1/2', '#1'].map((end) => [`valkey://:secret@a${end}`, form]),
    ...['valkey://:secret#1@a', 'valkey://a:secret/1@a', 'valkey://a:1#secret@a'].map((url) => [url, form]),
    ...['db=1', 'cacert=a&cacert=b', 'cert=a&key=b&x=c'].map((query) => [`valkeys://:secret@a?${query}`, unknown]),
    ['valkey://:secret@a?db=1', unknown],
    ['valkey://:secret@a?cacert=a', /^VALKEY_URL: has cacert but no TLS; use valkeys:\/\/ or rediss:\/\/$/],
    ['valkeys://:secret@a?cacert=none.pem', /^VALKEY_URL: has cacert=none\.pem, which cannot be read/],
    ['valkeys://:secret@a?cert=a', /^VALKEY_URL: has cert, but no key; /],
    ['valkeys://:secret@a?key=a', /^VALKEY_URL: has key, but no cert; /],
    ['valkey://secret@a', /^VALKEY_URL: has a user but no password; /],
    ['valkey://:secret%ZZ@a', /^VALKEY_URL: has a % in its user or password that is not an escape; /],
  ] as [string, RegExp][]) {
    const [problem = '', ...others] = problemsOf({ VALKEY_URL: url })
    assert.match(problem, expected, url)
    assert.doesNotMatch(problem, /secret/)
    assert.deepEqual(others, [])
  }
})
