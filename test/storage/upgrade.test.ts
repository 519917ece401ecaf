import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { createRefreshTokens } from '../../server/accounts/sessions/refresh-token.ts'
import { ulid } from '../../server/core/ids.ts'
import { inboxContext } from '../../server/delivery/testing-channel.ts'
import { otpReference } from '../../server/events/subjects.ts'
import { codeContext } from '../../server/otp/otp.ts'
import { createKeyring } from '../../server/secrets/keyring.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { migrations } from '../../server/storage/migrations.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { issueTenantKey } from '../../server/tenants/tenant-key.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { cheapHasher, startTestService } from '../support/service.ts'

/** The migrations of the previous version, before account protection. */
const previousMigrations = migrations.filter(({ id }) => id <= '0008-limits')

const onFile = testOnSqliteAlone('it writes a database file of the previous version')
onFile('opens a database of the previous version with its sessions, one-time passwords and users', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-upgrade-'))
  const path = join(folder, 'tenantry.db')
  const now = Date.UTC(2026, 0, 15, 12)
  await (await openSqliteStorage({ path, migrations: previousMigrations })).close()
  const masterKeys = generateMasterKeys(now)
  const keyring = createKeyring(masterKeys)
  const [tenantId, userId, sessionId, otpId] = [ulid(now), ulid(now), ulid(now), ulid(now)]
  const [messageId, testMessageId] = [ulid(now), ulid(now)]
  const email = 'before@example.com'
  const password = 'correct horse'
  const key = issueTenantKey('publishable', now)
  const refreshToken = createRefreshTokens(keyring).first({ tenantId, sessionId })
  const passwordHash = await cheapHasher().hash(password, { tenantId })
  const sealed = keyring.seal('123456', codeContext(tenantId, otpId, 'reset_password', email))
  const modules = { auth: { methods: ['password', 'otp'] }, otp: {} }
  const later = now + 30 * 86_400_000
  {
    using database = new DatabaseSync(path)
    const insert = (table: string, row: Record<string, string | number | null>) =>
      database
        .prepare(
          `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
            .map(() => '?')
            .join(', ')})`,
        )
        .run(...Object.values(row))
    const times = { created_at: now, updated_at: now }
    const tenant = { id: tenantId, name: 'Before', suspended: 0, restricted_capabilities: '[]', revision: 1 }
    insert('tenants', { ...tenant, modules: JSON.stringify(modules), profile_schema_version: '1', ...times })
    const content = JSON.stringify({ version: '1', components: [], presentation: [], forms: {} })
    insert('profile_schemas', { tenant_id: tenantId, version: '1', ordinal: 1, content, published_at: now })
    const keyRow = { tenant_id: tenantId, id: key.id, name: 'app', kind: 'publishable', secret_hash: key.secretHash }
    insert('tenant_keys', { ...keyRow, created_at: now })
    const user = {
      tenant_id: tenantId,
      id: userId,
      email,
      email_verified_at: now,
      password_hash: passwordHash,
      guest: 0,
    }
    insert('users', { ...user, restricted_capabilities: '[]', last_active_at: now, ...times })
    const session = { tenant_id: tenantId, id: sessionId, user_id: userId, address: '192.0.2.0/24', amr: '["pwd"]' }
    const lives = { created_at: now, last_used_at: now, idle_expires_at: later, expires_at: later }
    insert('sessions', { ...session, refresh_hash: hash('sha256', refreshToken, 'hex'), ...lives })
    const otp = { tenant_id: tenantId, id: otpId, scope: 'reset_password', state: 'pending', user_id: userId, decoy: 0 }
    const policy = {
      resend_interval_seconds: 60,
      max_resends: 3,
      max_verify_attempts: 5,
      resend_count: 0,
      wrong_codes: 0,
    }
    const sent = { delivery_method: 'email', recipient: email, sealed_code: sealed }
    insert('otps', { ...otp, ...policy, ...sent, created_at: now, expires_at: now + 600_000, last_sent_at: now })
    const message = { tenant_id: tenantId, delivery_method: 'email', recipient: email, created_at: now }
    const delivered = { kind: 'otp', decoy: 0, state: 'sent', attempts: 1, expires_at: later }
    insert('outbox', { ...message, ...delivered, id: messageId, otp_id: otpId, settled_at: now })
    const shown = (id: string) => keyring.seal('{"code":"123456","text":"Your code"}', inboxContext({ tenantId, id }))
    insert('inbox', { ...message, place: 7, id: messageId, otp_id: otpId, sealed: shown(messageId) })
    insert('inbox', { ...message, place: 9, id: testMessageId, sealed: shown(testMessageId) })
    database.exec('UPDATE inbox_end SET place = 9')
  }

  const storage = await openSqliteStorage({ path })
  {
    await using service = await startTestService({ storage, masterKeys, start: now })
    const client = createTenantryClient({ baseUrl: service.baseUrl, tenantKey: key.text })
    const refreshed = await client.refreshSession({ refreshToken })
    assert.equal(refreshed.user.id, userId)
    const signedIn = client.withSession(refreshed.accessToken)
    assert.equal((await signedIn.getAccount()).email, email)
    assert.deepEqual(
      (await signedIn.exportAccount()).otps.map(({ id }) => id),
      [otpReference(otpId)],
    )
    const { messages } = await service.admin.listTestingChannelMessages({ recipient: email })
    assert.deepEqual(
      messages.map(({ id, code, text }) => [id, code, text]),
      [messageId, testMessageId].map((id) => [id, '123456', 'Your code']),
    )
    assert.deepEqual((await service.admin.listTestingChannelMessages({ otpId })).messages, messages.slice(0, 1))
    const { items } = await service.admin.listMessages({ tenantId }, {})
    assert.deepEqual(
      items.map(({ id }) => id),
      [messageId],
    )
    assert.equal(await storage.system.inbox.latestPlace(), 9)
    await client.verifyOtp({ id: otpId, scope: 'reset_password', code: '123456' })
    await client.resetPassword({ step: 'confirm', token: otpId, password: 'battery staple' })
    assert.equal((await client.signIn({ method: 'password', email, password: 'battery staple' })).user.id, userId)
  }
  await rm(folder, { recursive: true, force: true })
})
