import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import type { PasswordHasher } from '../../../server/passwords/password-hasher.ts'
import { type Account, type AccountLog, after, type KnownOtp } from './account-log.ts'
import { type MixedLoad, passwordMark } from './mixed-load.ts'

/**
 * Queries for rows that break an invariant; each must return none. None reads a table again for each row, so that the cost of a
 * cycle stays small in a campaign of hundreds.
 */
export const violations = {
  'I1: 1 + resend_count messages per OTP': `SELECT otps.id FROM otps LEFT JOIN
     (SELECT tenant_id, otp_id, COUNT(*) AS count FROM outbox GROUP BY tenant_id, otp_id) AS messages
     ON messages.tenant_id = otps.tenant_id AND messages.otp_id = otps.id
     WHERE messages.count IS NULL OR messages.count <> 1 + resend_count`,
  'I1: a message without its OTP': `SELECT id FROM outbox WHERE kind = 'otp' AND otp_id NOT IN (SELECT id FROM otps)`,
  'I2: exactly one notice per consumed reset OTP': `SELECT user_id,
     COUNT(*) FILTER (WHERE reset) AS resets, COUNT(*) FILTER (WHERE NOT reset) AS notices FROM (
       SELECT user_id, 1 AS reset FROM otps WHERE state = 'consumed' AND scope = 'reset_password'
       UNION ALL SELECT user_id, 0 FROM outbox WHERE kind = 'password_changed')
     GROUP BY user_id HAVING resets <> notices`,
  'I2: the password is stored when its OTP is consumed': `SELECT otps.id FROM otps JOIN users ON users.id = otps.user_id
     WHERE state = 'consumed' AND (users.password_hash IS NULL OR COALESCE(users.password_changed_at, 0) < otps.verified_at)`,
  'I5: caps': 'SELECT id FROM otps WHERE resend_count > max_resends OR wrong_codes > max_verify_attempts',
  'I6: one profile per user': 'SELECT user_id FROM profiles GROUP BY tenant_id, user_id HAVING COUNT(*) > 1',
  'I6: every profile has a user': 'SELECT id FROM profiles WHERE user_id NOT IN (SELECT id FROM users)',
  'only pending OTPs have a code': "SELECT id FROM otps WHERE state <> 'pending' AND sealed_code IS NOT NULL",
  'unfinished messages are due': `SELECT id FROM outbox
     WHERE (due_at IS NULL) <> (state IN ('sent', 'failed', 'cancelled'))`,
}

/** Checks I1, I2, I5, I6 and I8; throws an AssertionError that names the broken one. */
export function assertSoundRows(database: DatabaseSync): void {
  for (const [name, sql] of Object.entries(violations)) assert.deepEqual(database.prepare(sql).all(), [], name)
  assert.equal(database.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok', 'I8')
  assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), [], 'I8')
}

/**
 * I7: no file contains a secret that a client saw in plaintext.
 * @param searched the bytes of each file at the check before, which gets those of this one: the secrets are newer, so only what
 *   has changed can contain one
 */
export function assertNoSecrets(
  databasePath: string,
  secrets: Iterable<string>,
  searched = new Map<string, Buffer>(),
): void {
  const all = [passwordMark, ...secrets]
  // One pass finds them all; one pass for each takes seconds in a long campaign.
  const anySecret = new RegExp(all.map(RegExp.escape).join('|'))
  const longest = Math.max(...all.map(({ length }) => length))
  for (const path of [databasePath, `${databasePath}-wal`, `${databasePath}-shm`]) {
    if (!existsSync(path)) continue
    const bytes = readFileSync(path)
    for (const start of changedPages(bytes, searched.get(path))) {
      // A secret can begin on the page before, or end on the one after.
      const text = bytes.toString('latin1', Math.max(0, start - longest), start + pageSize + longest)
      const [found] = anySecret.exec(text) ?? []
      assert.equal(found, undefined, `I7: ${path} contains ${found}`)
    }
    searched.set(path, bytes)
  }
}

const pageSize = 4_096

/** Where each page begins that differs from the one before. */
function* changedPages(bytes: Buffer, before: Buffer = Buffer.alloc(0)): Generator<number> {
  for (let start = 0; start < bytes.length; start += pageSize) {
    const end = start + pageSize
    if (!bytes.subarray(start, end).equals(before.subarray(start, end))) yield start
  }
}

/**
 * I2, I3 and I4 of one account: the rows contain every acknowledged write, and the one unanswered write as a whole or
 * not at all. Records in `log` whether it happened.
 * @returns whether the unanswered write happened; null when there was none
 */
export async function settleAccount(
  database: DatabaseSync,
  log: AccountLog,
  hasher: PasswordHasher,
): Promise<boolean | null> {
  const { passwordHash, ...found } = readAccount(database, log.email)
  const states = [log.account, ...stateAfter(log, found.otps)]
  const state = states.find(({ password: _password, ...known }) => isDeepStrictEqual(known, found))
  const difference = JSON.stringify({ email: log.email, known: log.account, unanswered: log.open, found })
  assert.ok(state, `I3, I4: ${difference}`)
  if (state.exists)
    assert.ok(
      await hasher.verify(passwordHash, state.password, { tenantId: 'crash' }),
      `I2, I3: another password: ${difference}`,
    )
  const happened = log.open === null ? null : state !== log.account
  log.account = state
  log.open = null
  if (state.sessions === 0) log.accessToken = null
  return happened
}

/** The account if the unanswered write happened. An unanswered challenge has the one id that is not in the log. */
function stateAfter({ account, open }: AccountLog, found: Account['otps']): Account[] {
  if (open === null) return []
  if (open.kind !== 'challenge') return [after(account, open)]
  return Object.keys(found)
    .filter((id) => !(id in account.otps))
    .map((id) => after(account, { kind: 'challenge', id }))
}

function readAccount(database: DatabaseSync, email: string): Omit<Account, 'password'> & { passwordHash: string } {
  const user = database.prepare('SELECT id, password_hash FROM users WHERE email = ?').get(email)
  if (user === undefined) {
    return { exists: false, counter: 0, sessions: 0, notices: 0, otps: {}, passwordHash: '' }
  }
  const id = user['id'] as string
  const count = (sql: string) => database.prepare(sql).get(id)!['count'] as number
  const profile = database.prepare('SELECT content FROM profiles WHERE user_id = ?').get(id)
  const otps = database.prepare('SELECT id, state, resend_count AS resends FROM otps WHERE user_id = ?').all(id)
  return {
    exists: true,
    passwordHash: user['password_hash'] as string,
    counter: JSON.parse((profile?.['content'] as string | undefined) ?? '{"counter":-1}').counter,
    sessions: count('SELECT COUNT(*) AS count FROM sessions WHERE user_id = ? AND revoked_at IS NULL'),
    notices: count("SELECT COUNT(*) AS count FROM outbox WHERE user_id = ? AND kind = 'password_changed'"),
    otps: Object.fromEntries(otps.map(({ id, state, resends }) => [id, { state, resends } as KnownOtp])),
  }
}

/** The converse of I3: a client requested every account and OTP that exists. */
export function assertNothingElse(database: DatabaseSync, { accounts }: MixedLoad): void {
  const count = (rows: string) => database.prepare(`SELECT COUNT(*) AS count FROM ${rows}`).get()!['count']
  const known = accounts.filter(({ account }) => account.exists)
  assert.equal(count('users'), known.length)
  assert.equal(count('profiles'), known.length)
  assert.equal(
    count('otps WHERE user_id IS NOT NULL'),
    known.reduce((sum, { account }) => sum + Object.keys(account.otps).length, 0),
  )
}
