import { type Command, InvalidArgumentError, Option } from 'commander'
import type { OutputOf } from '../client/methods.ts'
import { KeyKind, type TenantKey } from '../contract/admin-keys.ts'
import { allPages, answer } from './answer.ts'
import { list, shown, table } from './layout.ts'
import type { Terminal } from './terminal.ts'
import { time } from './time.ts'

interface OfTenant {
  readonly tenant: string
}

interface NewKey extends OfTenant {
  readonly kind?: KeyKind
  readonly name?: string
  readonly expiresAt?: string
}

/** `tenantry key …` */
export function addKeyCommands(program: Command, terminal: Terminal): void {
  const key = program.command('key').description("The keys a tenant's applications call with")

  key
    .command('create')
    .description('create a key; it is shown once')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .addOption(
      new Option(
        '--kind <kind>',
        'publishable may ship in an app, secret stays on a server (default: publishable)',
      ).choices(KeyKind.options),
    )
    .option('--name <name>', 'what it is for')
    .option('--expires-at <time>', 'when it ends, such as 2027-01-31 or 2027-01-31T18:00:00Z (default: never)', time)
    .action(({ tenant: tenantId, kind, name, expiresAt }: NewKey, command: Command) =>
      answer(
        command,
        terminal,
        (admin) => admin.createTenantKey({ tenantId }, { kind, name, expiresAt }),
        (created) => describeCreated(created),
      ),
    )

  key
    .command('list')
    .description('list all keys of a tenant, dead ones too')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .action(({ tenant: tenantId }: OfTenant, command: Command) =>
      answer(
        command,
        terminal,
        (admin) => allPages((query) => admin.listTenantKeys({ tenantId }, query)),
        (keys) => table(keys, columns, 'The tenant has no key yet: "tenantry key create --tenant <id>" makes one.'),
      ),
    )

  key
    .command('revoke')
    .description('end a key at once')
    .argument('<key>', 'its id')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .action((keyId: string, { tenant: tenantId }: OfTenant, command: Command) =>
      answer(
        command,
        terminal,
        (admin) => admin.revokeTenantKey({ tenantId, keyId }),
        () => `Revoked: ${shown(keyId)} is refused from now on.`,
      ),
    )

  key
    .command('rotate')
    .description('create a key in the place of another, which keeps working for a while')
    .argument('<key>', 'the id of the old one')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option('--overlap-seconds <seconds>', 'how long the old one keeps working (default: 86400, a day)', wholeNumber)
    .action(
      (keyId: string, { tenant: tenantId, overlapSeconds }: OfTenant & { overlapSeconds?: number }, command: Command) =>
        answer(
          command,
          terminal,
          (admin) => admin.rotateTenantKey({ tenantId, keyId }, { overlapSeconds }),
          (created) => describeCreated(created, keyId),
        ),
    )
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds.')
  return Number(text)
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

function describeCreated(created: OutputOf<'createTenantKey'>, inPlaceOf?: string): string {
  const properties = list([
    ['id', created.id],
    ['name', created.name],
    ['kind', created.kind],
    ...(inPlaceOf === undefined ? [] : [['in place of', inPlaceOf] as const]),
    ['created', created.createdAt],
    ['expires', created.expiresAt ?? 'never'],
    ['key', created.key],
  ])
  return `${properties}\n\nThe key is shown this once: keep it now.`
}
