import { createdAt, emptySchema, generatedId, numbers, type Rows } from './generated-rows.ts'

const modules = JSON.stringify({
  auth: { methods: ['password', 'otp'] },
  otp: { length: 6, ttlSeconds: 600, resendIntervalSeconds: 0, maxResends: 20, maxVerifyAttempts: 5 },
})
const schema = JSON.stringify({
  ...emptySchema,
  components: [{ name: 'nickName', type: 'text', label: 'Nick name' }],
})
/** Not a valid hash: no user signs in. */
const hash = '$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IG9mIDE2$aGFzaCBvZiBub3RoaW5nIHRoYXQgaXMgMzIgYnl0ZXM'

/** The number of rows. */
export interface Size {
  readonly tenants: number
  readonly users: number
}

/** Tenants, each with a schema, and evenly distributed users, each with a profile. */
export const growthRows =
  ({ tenants, users }: Size): Rows =>
  (engine) => {
    const tenantId = (number: string) => generatedId(engine, 'SEEDTENANT', number)
    const ofUser = tenantId(`i % ${tenants}`)
    const [userId, profileId] = [generatedId(engine, 'SEED', 'i'), generatedId(engine, 'SEEDPF', 'i')]
    const [eachTenant, eachUser] = [numbers(engine, 0, tenants - 1), numbers(engine, 0, users - 1)]
    return [
      `INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, modules, profile_schema_version, created_at, updated_at)
       SELECT ${tenantId('i')}, 'Tenant ' || i, 0, '[]', 1, '${modules}', '1', ${createdAt}, ${createdAt} FROM ${eachTenant}`,
      `INSERT INTO profile_schemas (tenant_id, version, ordinal, content, published_at)
       SELECT ${tenantId('i')}, '1', 1, '${schema}', ${createdAt} FROM ${eachTenant}`,
      `INSERT INTO users (tenant_id, id, email, password_hash, guest, restricted_capabilities, created_at, updated_at, last_active_at)
       SELECT ${ofUser}, ${userId}, 'user' || i || '@example.com', '${hash}', 0, '[]', ${createdAt}, ${createdAt}, ${createdAt} FROM ${eachUser}`,
      `INSERT INTO profiles (tenant_id, id, user_id, schema_version, content, revision, created_at, updated_at)
       SELECT ${ofUser}, ${profileId}, ${userId}, '1', '{"nickName":"before"}', 1, ${createdAt}, ${createdAt} FROM ${eachUser}`,
    ]
  }
