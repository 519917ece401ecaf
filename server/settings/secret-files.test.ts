import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { problemsOf } from './config.testkit.ts'
import { readConfig } from './read-config.ts'

const adminKey = 'k'.repeat(32)

test('reads a secret from the variable or from a file, not both', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-config-'))
  try {
    const path = join(folder, 'key')
    writeFileSync(path, `${adminKey}\n`)
    assert.equal(readConfig({ TENANTRY_ADMIN_KEY_FILE: path }).adminKey, adminKey)
    writeFileSync(join(folder, 'webhook'), 'https://hooks.example/?token=secret\n')
    const { testingChannelUrl } = readConfig({ TENANTRY_TESTING_CHANNEL_URL_FILE: join(folder, 'webhook') })
    assert.equal(testingChannelUrl, 'https://hooks.example/?token=secret')
    assert.match(problemsOf({ TENANTRY_ADMIN_KEY_FILE: path, TENANTRY_ADMIN_KEY: adminKey }).join(), /not both/)
    const problemWith = (file: string) => problemsOf({ TENANTRY_ADMIN_KEY_FILE: file })
    const failed = (file: string, reason: string) => [`TENANTRY_ADMIN_KEY_FILE: failed to read ${file} (${reason}`]
    const none = join(folder, 'none')
    assert.deepEqual(problemWith(none), failed(none, 'ENOENT): create it, or correct the path'))
    const isFolder = 'EISDIR): it is a folder, not a file; remove it, or choose another path'
    assert.deepEqual(problemWith(folder), failed(folder, isFolder))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('names the empty file of a secret; that of a sender configures no sender', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-config-'))
  try {
    const path = join(folder, 'empty')
    writeFileSync(path, '\n')
    const secrets = ['ADMIN_KEY', 'MASTER_KEYS', 'TESTING_CHANNEL_URL', 'EVENTS_ANCHOR'].map(
      (name) => `TENANTRY_${name}`,
    )
    for (const name of [...secrets, 'DATABASE_URL', 'VALKEY_URL'])
      assert.deepEqual(problemsOf({ [`${name}_FILE`]: path }), [`${name}_FILE: ${path} is empty`])
    const senders = { SMTP_URL_FILE: path, TWILIO_AUTH_TOKEN_FILE: path, MAIL_FROM: 'accounts@example.com' }
    assert.deepEqual(readConfig(senders).deploymentProviders, [])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
