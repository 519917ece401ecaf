import type { Command } from 'commander'
import type { TenantryAdmin } from '../../packages/client/src/admin.ts'
import { answerOf } from '../answer.ts'
import { shown } from '../terminal/layout.ts'
import { CommandFailure, type Terminal } from '../terminal/terminal.ts'

/** `<user>` of a command. */
export const userArgument = ['<user>', 'id, e-mail address or phone number of the user'] as const

/** A user as the paths of the API name them. */
interface UserPath {
  readonly tenantId: string
  readonly userId: string
}

/**
 * As `answerOf`, for one user, by id, e-mail address or phone number. Only an address is looked up, which needs
 * `users:read`.
 */
export const answerOfUser = <T>(
  named: string,
  tenant: string | undefined,
  command: Command,
  terminal: Terminal,
  ask: (admin: TenantryAdmin, path: UserPath) => Promise<T>,
  readable: (value: T) => string,
): Promise<void> =>
  answerOf(
    tenant,
    command,
    terminal,
    async (admin, tenantId) => ask(admin, { tenantId, userId: await findUserId(named, tenantId, admin) }),
    readable,
  )

/** @throws CommandFailure if nothing is named, or the tenant has no user with the address */
async function findUserId(named: string, tenantId: string, admin: TenantryAdmin): Promise<string> {
  // As "$ADA" with an unset variable gives.
  if (named.trim() === '')
    throw new CommandFailure('The user is empty. Specify an id, an e-mail address or a phone number.')
  const filter = named.includes('@') ? { email: named } : named.startsWith('+') ? { phone: named } : null
  if (filter === null) return named
  const { items } = await admin.listUsers({ tenantId }, filter)
  if (items[0] !== undefined) return items[0].id
  const kind = 'email' in filter ? 'e-mail address' : 'phone number'
  throw new CommandFailure(
    `No user of the tenant has the ${kind} ${shown(named)}. Run "tenantry user list" to see all.`,
  )
}
