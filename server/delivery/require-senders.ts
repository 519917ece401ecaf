import type { Storage } from '../storage/storage.ts'
import type { TenantSnapshots } from '../tenants/tenant-snapshot.ts'
import type { Courier } from './courier.ts'

/** Which tenants could not deliver what their sign-in needs. */
export interface SenderProblems {
  /** Sign-in would not work: no start. */
  readonly missing: string[]
  /** Part of it would not. */
  readonly warnings: string[]
}

const pageSize = 200

/**
 * Looks at every tenant: password sign-in needs e-mail for resets, one-time-password sign-in needs e-mail or SMS. In
 * plain words, naming each tenant (design 8).
 */
export async function findSenderProblems(
  storage: Storage,
  snapshots: TenantSnapshots,
  courier: Courier,
): Promise<SenderProblems> {
  const problems: SenderProblems = { missing: [], warnings: [] }
  let cursor: string | null = null
  do {
    const page = await storage.system.tenants.list({ limit: pageSize, cursor })
    for (const tenant of page) {
      const snapshot = await snapshots.of(tenant)
      const methods = snapshot.configuration.auth?.methods ?? []
      const [email, sms] = [courier.canDeliver('email', null, snapshot), courier.canDeliver('sms', null, snapshot)]
      const who = `Tenant "${tenant.name}" (${tenant.id})`
      if (methods.includes('password') && !email) {
        problems.missing.push(
          `${who} has password sign-in, so resets must reach people by e-mail: set SMTP_URL and MAIL_FROM, or delivery.email of its configuration`,
        )
      } else if (methods.includes('otp') && !email && !sms) {
        problems.missing.push(
          `${who} has sign-in by one-time password: set SMTP_URL and MAIL_FROM, the TWILIO_ settings, or delivery of its configuration`,
        )
      } else if (methods.includes('otp') && !sms) {
        problems.warnings.push(
          `${who} has sign-in by one-time password, but nothing sends SMS: phone numbers are refused`,
        )
      }
    }
    cursor = page.length === pageSize ? (page.at(-1)?.id ?? null) : null
  } while (cursor !== null)
  return problems
}
