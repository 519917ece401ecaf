import { createTenantryClient } from '../client/client.ts'
import type { OtpScope } from '../contract/otp.ts'
import type { ProfileSchemaInput } from '../contract/profile-schema.ts'
import type { SessionAnswer } from '../contract/sign-in.ts'
import { ulid } from '../server/core/ids.ts'
import { codeContext, type Otp } from '../server/otp/otp.ts'
import type { Keyring } from '../server/secrets/keyring.ts'
import type { Storage } from '../server/storage/storage.ts'

/** The tenant under measurement. */
export interface BenchTenant {
  readonly tenantId: string
  readonly tenantKey: string
  readonly emails: readonly string[]
  /** One session per user. */
  readonly sessions: readonly SessionAnswer[]
}

export const benchCode = '123456'
export const benchPassword = 'a password for the bench'

/** Creates a tenant with a configuration of about 20 KB and `users` users, `sessions` of them signed in. */
export async function seedTenant(
  baseUrl: string,
  adminKey: string,
  users: number,
  sessions: number,
): Promise<BenchTenant> {
  const admin = createTenantryClient({ baseUrl, adminKey })
  const { id: tenantId } = await admin.createTenant({ name: 'Bench' })
  await admin.updateConfiguration({ tenantId }, { otp: { resendIntervalSeconds: 0, maxResends: 20, ttlSeconds: 3600 } })
  await admin.publishProfileSchema({ tenantId }, schemaOf20Kb())
  const { key: tenantKey } = await admin.createTenantKey({ tenantId }, {})
  const app = createTenantryClient({ baseUrl, tenantKey })
  const emails = Array.from({ length: users }, (_, i) => `user${i}@example.com`)
  await inTurns(emails, (email) => admin.createUser({ tenantId }, { email, password: benchPassword }))
  const opened: SessionAnswer[] = []
  await inTurns(emails.slice(0, sessions), async (email) => {
    opened.push(await app.signIn({ method: 'password', email, password: benchPassword }))
  })
  return { tenantId, tenantKey, emails, sessions: opened }
}

async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const rest = [...items]
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let item = rest.pop(); item !== undefined; item = rest.pop()) await act(item)
    }),
  )
}

/** Sixty fields with labels and descriptions in three languages. */
function schemaOf20Kb(): ProfileSchemaInput {
  const words = (field: number, language: string) =>
    `A description of field ${field} that is as long as a real one would be (${language}).`
  return {
    components: Array.from({ length: 60 }, (_, i) => ({
      name: `field${i}`,
      type: 'text' as const,
      label: `Field ${i}`,
      description: { default: words(i, 'en'), fr: words(i, 'fr'), de: words(i, 'de') },
      rules: { maxLength: 200 },
    })),
  }
}

/** Stores one-time passwords with the code `benchCode` directly. */
export async function seedOtps(
  storage: Storage,
  keyring: Keyring,
  { tenantId, emails }: BenchTenant,
  count: number,
  options: { readonly scope: OtpScope; readonly verified: boolean; readonly userIds?: readonly string[] },
): Promise<string[]> {
  const { otps } = storage.forTenant(tenantId)
  const now = Date.now()
  const ids = Array.from({ length: count }, () => ulid(now))
  const { scope } = options
  for (let from = 0; from < count; from += 1000) {
    await Promise.all(
      ids.slice(from, from + 1000).map(async (id, i) => {
        const recipient = emails[(from + i) % emails.length]!
        const otp: Otp = {
          id,
          scope,
          state: 'pending',
          userId: options.userIds?.[(from + i) % options.userIds.length] ?? null,
          decoy: true,
          deliveryMethod: 'email',
          recipient,
          locale: null,
          sealedCode: keyring.seal(benchCode, codeContext(tenantId, id, scope, recipient)),
          resendIntervalSeconds: 0,
          maxResends: 20,
          maxVerifyAttempts: 5,
          resendCount: 0,
          wrongCodes: 0,
          createdAt: now,
          expiresAt: now + 3_600_000,
          lastSentAt: now,
          sessionId: null,
          hadPassword: null,
          ...(options.userIds && { decoy: false }),
        }
        await otps.issue(otp, { id: ulid(now), lease: null })
        if (options.verified) await otps.verify(id, scope, now)
      }),
    )
  }
  return ids
}
