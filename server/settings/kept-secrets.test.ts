import assert from 'node:assert/strict'
import {
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { keepSecrets, readKeptSecrets, requireSecrets, secretsPathOf } from './kept-secrets.ts'
import { localSecretsPath } from './local-server.ts'
import { readConfig } from './read-config.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenantry-secrets-'))
after(() => rmSync(folder, { recursive: true }))

/** The secrets of a startup with these settings. */
const secretsWith = (settings: Record<string, string> = {}) =>
  requireSecrets(readConfig({ DATABASE_URL: `sqlite:${join(folder, 'tenantry.db')}`, ...settings }), 0)

test('prefers configured secrets over stored ones, and generates and stores missing ones once', () => {
  const adminKey = 'an-admin-key-of-at-least-32-characters'
  const first = secretsWith({ TENANTRY_ADMIN_KEY: adminKey })
  assert.equal(first.adminKey, adminKey)
  const second = secretsWith()
  assert.equal(second.masterKeys, first.masterKeys)
  assert.notEqual(second.adminKey, adminKey)
  assert.deepEqual(secretsWith(), second)

  const masterKeys = `k1:${Buffer.alloc(32).toString('base64')}`
  assert.deepEqual(secretsWith({ TENANTRY_MASTER_KEYS: masterKeys }), { ...second, masterKeys })
  assert.deepEqual(secretsWith(), second)
})

for (const text of ['', '{"masterKeys": "k1:', 'null', '[]', '{"masterKeys": null}', '{"adminKey": 1}']) {
  test(`neither replaces nor uses a damaged file: ${text}`, () => {
    const damaged = mkdtempSync(join(folder, 'damaged-'))
    const path = join(damaged, 'secrets.json')
    writeFileSync(path, text)
    const start = () => secretsWith({ DATABASE_URL: `sqlite:${join(damaged, 'tenantry.db')}` })
    assert.throws(start, {
      message: `${path} is damaged; restore it, because stored data cannot be decrypted without its master keys`,
    })
    assert.equal(readFileSync(path, 'utf8'), text)
  })
}

test('stores secrets in the file that a link names, which may not exist yet', () => {
  const volume = mkdtempSync(join(folder, 'volume-'))
  const path = join(mkdtempSync(join(folder, 'linked-')), 'secrets.json')
  symlinkSync(join(volume, 'kept.json'), path)
  const first = secretsWith({ DATABASE_URL: `sqlite:${join(dirname(path), 'tenantry.db')}` })
  keepSecrets(path, { masterKeys: 'another' })
  assert.ok(lstatSync(path).isSymbolicLink())
  assert.deepEqual(readKeptSecrets(join(volume, 'kept.json')), { ...first, masterKeys: 'another' })
  assert.deepEqual(readdirSync(volume), ['kept.json'])
})

test('the server and the demo find the secrets beside a SQLite file, and those of PostgreSQL in ./data', () => {
  for (const [url, path] of [
    ['sqlite:/var/lib/tenantry/tenantry.db', '/var/lib/tenantry/secrets.json'],
    ['postgres://tenantry@db.example.com/tenantry', 'data/secrets.json'],
    ['', 'data/secrets.json'],
  ] as const) {
    const env = { DATABASE_URL: url }
    assert.equal(secretsPathOf(readConfig(env).database), path)
    assert.equal(localSecretsPath(env), path)
  }
})

const isRoot = process.geteuid?.() === 0

test('root stores secrets for the user of the server', { skip: !isRoot && 'needs root' }, () => {
  const state = join(folder, 'state')
  mkdirSync(state)
  chownSync(state, 65_534, 65_534)
  const path = join(state, 'secrets.json')
  const started = secretsWith({ DATABASE_URL: `sqlite:${join(state, 'tenantry.db')}` })
  for (const masterKeys of [started.masterKeys, `k2:${Buffer.alloc(32).toString('base64')}`]) {
    keepSecrets(path, { masterKeys })
    const { uid, gid, mode } = statSync(path)
    assert.deepEqual([uid, gid, mode & 0o777], [65_534, 65_534, 0o600])
    assert.deepEqual(readKeptSecrets(path), { masterKeys, adminKey: started.adminKey })
  }
  assert.deepEqual(readdirSync(state), ['secrets.json'])
})
