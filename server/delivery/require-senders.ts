import type { FastifyBaseLogger } from 'fastify'
import { environmentSettings } from '../../contract/senders/delivery-senders.ts'
import type { Storage } from '../storage/storage.ts'
import type { TenantSnapshot, TenantSnapshots } from '../tenants/tenant-snapshot.ts'
import type { MessageTransport } from './message-transport.ts'

/** Tenants that cannot deliver the messages their sign-in methods need. */
interface SenderProblems {
  /** Sign-in would not work; prevents startup. */
  readonly missing: string[]
  /** Sign-in would work in part. */
  readonly warnings: string[]
}

/** Checks a tenant after it was created or configured, and logs a warning. Never rejects. */
export type SenderWatch = (tenantId: string) => Promise<void>

interface SenderCheck {
  readonly snapshots: TenantSnapshots
  readonly transport: MessageTransport
}

const pageSize = 200

/**
 * Checks every tenant: password sign-in needs e-mail for resets, one-time-password sign-in needs e-mail or SMS.
 */
export async function findSenderProblems({
  storage,
  snapshots,
  transport,
}: SenderCheck & { readonly storage: Storage }): Promise<SenderProblems> {
  const problems: SenderProblems = { missing: [], warnings: [] }
  let cursor: string | null = null
  do {
    const page = await storage.system.tenants.list({ limit: pageSize, cursor })
    // In parallel, because loading ten thousand tenants one by one would delay startup.
    for (const snapshot of await Promise.all(page.map((tenant) => snapshots.of(tenant)))) {
      const { missing, warning } = judge(snapshot, transport)
      if (missing !== undefined) problems.missing.push(missing)
      if (warning !== undefined) problems.warnings.push(warning)
    }
    cursor = page.length === pageSize ? (page.at(-1)?.id ?? null) : null
  } while (cursor !== null)
  return problems
}

/** Warns about a tenant that would prevent the next startup. */
export function createSenderWatch({
  snapshots,
  transport,
  logger,
}: SenderCheck & { readonly logger: FastifyBaseLogger }): SenderWatch {
  return async (tenantId) => {
    const snapshot = await snapshots.find(tenantId).catch(() => null)
    const { missing } = snapshot === null ? {} : judge(snapshot, transport)
    if (missing !== undefined) logger.warn(`The next start will be refused: ${missing}`)
  }
}

function judge(snapshot: TenantSnapshot, transport: MessageTransport): { missing?: string; warning?: string } {
  const { tenant, configuration } = snapshot
  const methods = configuration.auth?.methods ?? []
  const can = (method: 'email' | 'sms') => transport.canDeliver(method, snapshot)
  const who = `Tenant "${tenant.name}" (${tenant.id})`
  if (methods.includes('password') && !can('email')) {
    const advice = `set ${environmentSettings('email')}, or delivery.email of its configuration`
    return { missing: `${who} has password sign-in, so resets must reach people by e-mail: ${advice}` }
  }
  if (!methods.includes('otp') || can('sms')) return {}
  if (can('email'))
    return { warning: `${who} has sign-in by one-time password, but nothing sends SMS: phone numbers are refused` }
  const advice = `set ${environmentSettings('email')}, or ${environmentSettings('sms')}, or delivery of its configuration`
  return { missing: `${who} has sign-in by one-time password: ${advice}` }
}
