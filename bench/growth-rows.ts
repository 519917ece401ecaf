import type { Size } from './growth.ts'

const modules = JSON.stringify({
  auth: { methods: ['password', 'otp'] },
  otp: { length: 6, ttlSeconds: 600, resendIntervalSeconds: 0, maxResends: 20, maxVerifyAttempts: 5 },
})
const schema = JSON.stringify({
  version: '1',
  components: [{ name: 'nickName', type: 'text', label: 'Nick name' }],
  presentation: [],
  forms: {},
  migrations: [],
})
/** Not a valid hash: no user signs in. */
const hash = '$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IG9mIDE2$aGFzaCBvZiBub3RoaW5nIHRoYXQgaXMgMzIgYnl0ZXM'
const then = 1_767_225_600_000

/** SQL that fills an empty database with tenants, each with a schema, and evenly distributed users, each with a profile. */
export function seedRows(engine: 'sqlite' | 'postgres', { tenants, users }: Size): string[] {
  const numbers = (count: number) =>
    engine === 'sqlite'
      ? `(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count}) SELECT i FROM n) AS n`
      : `(SELECT generate_series(0, ${count - 1}) AS i) AS n`
  const padded = (number: string, width: number) =>
    engine === 'sqlite' ? `printf('%0${width}d', ${number})` : `lpad(CAST(${number} AS TEXT), ${width}, '0')`
  const userId = `'01SEED' || ${padded('i', 20)}`
  const profileId = `'01SEEDPF' || ${padded('i', 18)}`
  const tenantId = (number: string) => `'01SEEDTENANT' || ${padded(number, 14)}`
  const ofUser = tenantId(`i % ${tenants}`)
  return [
    `INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, modules, profile_schema_version, created_at, updated_at)
     SELECT ${tenantId('i')}, 'Tenant ' || i, 0, '[]', 1, '${modules}', '1', ${then}, ${then} FROM ${numbers(tenants)}`,
    `INSERT INTO profile_schemas (tenant_id, version, ordinal, content, published_at)
     SELECT ${tenantId('i')}, '1', 1, '${schema}', ${then} FROM ${numbers(tenants)}`,
    `INSERT INTO users (tenant_id, id, email, password_hash, guest, restricted_capabilities, created_at, updated_at, last_active_at)
     SELECT ${ofUser}, ${userId}, 'user' || i || '@example.com', '${hash}', 0, '[]', ${then}, ${then}, ${then} FROM ${numbers(users)}`,
    `INSERT INTO profiles (tenant_id, id, user_id, schema_version, content, revision, created_at, updated_at)
     SELECT ${ofUser}, ${profileId}, ${userId}, '1', '{"nickName":"before"}', 1, ${then}, ${then} FROM ${numbers(users)}`,
  ]
}
