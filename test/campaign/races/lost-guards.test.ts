import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts'
import { sampleOf } from '../../support/runner/sample-size.ts'
import { openFixtureFor, type RaceName, runRace } from './races.ts'

const seed = 20260115
let google: IdentityProvider
before(async () => {
  google = await startIdentityProvider('google')
})
after(() => google.close())

/** A condition that is removed from a statement, and the race that must notice. */
const missingGuards: readonly [RaceName, string, string, string][] = [
  ['D01', 'otp.consume', "state = 'verified'", "state <> 'pending'"],
  ['D02', 'otp.resend', 'last_sent_at + resend_interval_seconds * 1000 <= $4', '1 = 1'],
  ['D03', 'otp.resend', 'resend_count < max_resends', '1 = 1'],
  ['D04', 'otp.lockPending', "state = 'pending'", "state <> 'consumed'"],
  ['D05', 'otp.lockPending', "state = 'pending'", "state <> 'consumed'"],
  ['D06', 'otp.resend', "state = 'pending'", "state <> 'consumed'"],
  ['D08', 'otp.cancelLive', "state = 'cancelled'", 'state = state'],
  ['D09', 'otp.cancelLive', "state = 'cancelled'", 'state = state'],
  ['D10', 'user.confirmPassword', 'AND password_hash = $3', 'AND $3 IS NOT NULL'],
  ['D10', 'session.revokeAllOf', 'AND revoked_at IS NULL', 'AND revoked_at IS NOT NULL'],
  ['D17', 'key.revoke', 'SET revoked_at = $3', 'SET revoked_at = $3 + 1000 WHERE 1 = 0 AND $3'],
  ['D21', 'user.add', 'ON CONFLICT DO NOTHING', ''],
  ['D22', 'otp.consume', "state = 'verified'", "state <> 'pending'"],
  ['D22', 'user.findByEmail', 'email = $2', 'email = $2 AND guest = 1'],
  ['D23', 'user.removePassword', 'password_hash = NULL', 'password_hash = password_hash'],
  ['D23', 'session.revokeAllOf', 'AND revoked_at IS NULL', 'AND revoked_at IS NOT NULL'],
  ['D24', 'session.find', 'previous_refresh_hash', 'NULL AS previous_refresh_hash'],
  ['D25', 'session.revoke', 'SET revoked_at = $3', 'SET revoked_at = revoked_at'],
  ['D26', 'user.setPassword', "AND ($3 = '' OR password_hash = $3)", 'AND $3 IS NOT NULL'],
  ['D26', 'user.confirmPassword', 'AND password_hash = $3', 'AND $3 IS NOT NULL'],
  ['D27', 'identity.find', 'subject = $3', "subject = $3 || ' unknown'"],
  ['D28', 'user.setEmail', 'o.email = $3', 'o.email = $3 AND o.guest = 1'],
  ['D29', 'user.lock', 'CASE WHEN users.password_hash IS NULL THEN 0 ELSE 1 END', '1'],
  ['D30', 'user.touch', 'id = $2', 'id = (SELECT MIN(id) FROM users WHERE tenant_id = $1 AND $2 IS NOT NULL)'],
  ['D30', 'session.forgetDevices', "address = ''", 'address = address'],
  [
    'D31',
    'user.lock',
    'guest, restricted_capabilities, suspension, last_active_at,',
    '1 AS guest, restricted_capabilities, suspension, 0 AS last_active_at,',
  ],
  ['D32', 'usedIdToken.add', 'DO NOTHING', '(tenant_id, token_hash) DO UPDATE SET expires_at = $3'],
  ['D33', 'session.lockLive', 'revoked_at IS NULL AND', ''],
  ['D33', 'otp.cancelLive', "state = 'cancelled'", 'state = state'],
  ['D34', 'undoCode.cancel', "state = 'cancelled'", 'state = state'],
  ['D34', 'otp.verify', "state = 'pending'", '1 = 1'],
  ['D35', 'session.revoke', 'SET revoked_at = $3', 'SET revoked_at = revoked_at'],
  ['D37', 'profileIndex.claim', 'DO NOTHING', 'DO UPDATE SET user_id = $4'],
]

for (const [name, statement, guard, instead] of sampleOf(missingGuards)) {
  test(`${name} notices when ${statement} has lost its guard`, async () => {
    let found = false
    const rewrite = (statementName: string, sql: string) => {
      if (statementName !== statement && statementName !== `postgres.${statement}`) return sql
      found = true
      return sql.replace(guard, () => instead)
    }
    await using fixture = await openFixtureFor(name, google, { hooks: { rewrite } })
    await assert.rejects(runRace(name, fixture, { seed, rounds: 60 }))
    assert.ok(found)
  })
}
