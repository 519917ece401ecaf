import { type Command, Option } from 'commander'
import { KeyKind, type TenantKey } from '../contract/admin/keys.ts'
import type { AdminOutputOf } from '../packages/client/src/admin.ts'
import { allPages } from './all-pages.ts'
import { answerOf } from './answer.ts'
import { type OfTenant, tenantOption } from './tenant-argument.ts'
import { list, shown, table } from './terminal/layout.ts'
import type { Terminal } from './terminal/terminal.ts'
import { time } from './terminal/time.ts'
import { wholeNumber } from './terminal/whole-number.ts'

interface NewKey extends OfTenant {
  readonly kind?: KeyKind
  readonly name?: string
  readonly expiresAt?: string
}

/** `tenantry key …` */
export function addKeyCommands(program: Command, terminal: Terminal): void {
  const key = program.command('key').description('manage the keys of a tenant')

  key
    .command('create')
    .description('create a key; it is shown only once')
    .option(...tenantOption)
    .addOption(
      new Option(
        '--kind <kind>',
        'publishable (can ship in an app) or secret (stays on a server) (default: publishable)',
      ).choices(KeyKind.options),
    )
    .option('--name <name>', 'purpose of the key')
    .option('--expires-at <time>', 'expiry, such as 2027-01-31 or 2027-01-31T18:00:00Z (default: never)', time)
    .action(({ tenant, kind, name, expiresAt }: NewKey, command: Command) =>
      answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => admin.createTenantKey({ tenantId }, { kind, name, expiresAt }),
        (created) => describeCreated(created),
      ),
    )

  key
    .command('list')
    .description('list all keys of a tenant, including expired and revoked ones')
    .option(...tenantOption)
    .action(({ tenant }: OfTenant, command: Command) =>
      answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => allPages((query) => admin.listTenantKeys({ tenantId }, query)),
        (keys) => table(keys, columns, 'The tenant has no keys. Create one with "tenantry key create --tenant <id>".'),
      ),
    )

  key
    .command('revoke')
    .description('revoke a key, effective immediately')
    .argument('<key>', 'id of the key')
    .option(...tenantOption)
    .action((keyId: string, { tenant }: OfTenant, command: Command) =>
      answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => admin.revokeTenantKey({ tenantId, keyId }),
        () => `Revoked key ${shown(keyId)}.`,
      ),
    )

  key
    .command('rotate')
    .description('replace a key by a new one; the old key stays valid for a while')
    .argument('<key>', 'id of the old key')
    .option(...tenantOption)
    .option(
      '--overlap-seconds <seconds>',
      'how long the old key stays valid (default: 86400, one day)',
      wholeNumber(0, 31_536_000),
    )
    .action((keyId: string, { tenant, overlapSeconds }: OfTenant & { overlapSeconds?: number }, command: Command) =>
      answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => admin.rotateTenantKey({ tenantId, keyId }, { overlapSeconds }),
        (created) => describeCreated(created, keyId),
      ),
    )
}

const columns = {
  ID: (key: TenantKey) => key.id,
  NAME: (key: TenantKey) => key.name,
  KIND: (key: TenantKey) => key.kind,
  CREATED: (key: TenantKey) => key.createdAt,
  EXPIRES: (key: TenantKey) => key.expiresAt,
  REVOKED: (key: TenantKey) => key.revokedAt,
  'LAST USED': (key: TenantKey) => key.lastUsedAt,
}

function describeCreated(created: AdminOutputOf<'createTenantKey'>, replaced?: string): string {
  const properties = list([
    ['id', created.id],
    ['name', created.name],
    ['kind', created.kind],
    ...(replaced === undefined ? [] : [['replaces', replaced] as const]),
    ['created', created.createdAt],
    ['expires', created.expiresAt ?? 'never'],
    ['key', created.key],
  ])
  return `${properties}\n\nThe key is shown only once. Store it now.`
}
