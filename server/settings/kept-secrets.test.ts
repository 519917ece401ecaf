import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from './config.ts'
import { requireSecrets } from './kept-secrets.ts'

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
