import type * as operations from '../../../contract/admin/tenants.ts'
import { TenantModules } from '../../../contract/tenants/tenant-modules.ts'
import { fieldMessages, validationMessage } from '../../../contract/validation-messages.ts'
import type { AdminCall } from '../../core/call.ts'
import type { ExpectedRevision, Handler } from '../../core/handler.ts'
import type { Revisioned } from '../../core/revisioned.ts'
import type { Refuse } from '../../core/service-error.ts'
import { changedSecrets, type SealedSecrets, sealSecrets } from '../../delivery/sender-secrets.ts'
import { checkTemplates } from '../../delivery/templates/check-templates.ts'
import { record } from '../../events/record.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import type { Services } from '../../services.ts'
import { WriteConflict } from '../../storage/storage.ts'
import { senderSecretsKey } from '../../tenants/tenant-configuration.ts'
import { getManagedTenant } from '../managed-tenant.ts'
import { configurationChanges } from './configuration-changes.ts'
import { configurationRevision } from './configuration-revision.ts'
import { mergePatch } from './merge-patch.ts'
import { plainJsonProblems } from './plain-json.ts'

type ConfigurationCall = AdminCall<'TENANT_NOT_FOUND' | 'VALIDATION_ERROR' | 'PRECONDITION_FAILED'>
type Modules = Readonly<Record<string, unknown>>

/** Every request of a tenant reads the configuration, so that patches must not grow it beyond the largest PUT. */
const maxStoredBytes = 1_048_576

/** `GET /admin/tenants/{t}/configuration`: the stored map of modules; empty when there is none. */
export const readConfiguration: Handler<typeof operations.readConfiguration> = async (
  { params },
  { refuse },
  { storage },
) => {
  const stored = await (await getManagedTenant(storage, params.tenantId, refuse)).stores.tenant.configuration()
  if (stored === null) throw refuse('TENANT_NOT_FOUND')
  return presented(stored.modules)
}

/** `PUT /admin/tenants/{t}/configuration`: replaces the whole map. */
export const replaceConfiguration: Handler<typeof operations.replaceConfiguration> = (input, call, services) =>
  changeModules(input, () => input.body, call, services)

/** `PATCH /admin/tenants/{t}/configuration`: a JSON merge patch, whose result must be valid for PUT. */
export const updateConfiguration: Handler<typeof operations.updateConfiguration> = (input, call, services) =>
  changeModules(input, (stored) => requireModules(mergePatch(stored, input.body), call), call, services)

/** Without the sealed secrets, which no response contains. Everything else was valid when it was stored. */
function shown({ [senderSecretsKey]: _sealed, ...modules }: Modules): TenantModules {
  return modules as TenantModules
}

const presented = (modules: Modules | null): Revisioned<TenantModules> => ({
  data: shown(modules ?? {}),
  revision: configurationRevision(modules),
})

interface Change {
  readonly params: { readonly tenantId: string }
  /** The modules, or a patch of them. */
  readonly body: unknown
  /** Which revision may change; any when undefined. */
  readonly expectedRevision: ExpectedRevision | undefined
}

/**
 * Replaces the modules with the result of `change`. Checked and stored at one revision: of two concurrent changes the
 * later one sees the earlier, so none is lost (threat D14).
 */
async function changeModules(
  { params, body, expectedRevision }: Change,
  change: (stored: Modules) => TenantModules,
  call: ConfigurationCall,
  { storage, keyring, senderWatch }: Services,
): Promise<Revisioned<TenantModules>> {
  const { now, refuse } = call
  requirePlainJson(body, refuse)
  const { tenant, stores } = await getManagedTenant(storage, params.tenantId, refuse)
  const changed = await stores.write(async (tx) => {
    const stored = await tx.tenant.configuration()
    if (stored === null) throw refuse('TENANT_NOT_FOUND')
    // The write below fails if the tenant changes after this.
    if (expectedRevision?.(configurationRevision(stored.modules)) === false) throw refuse('PRECONDITION_FAILED')
    const before = stored.modules ?? {}
    const secrets = (before[senderSecretsKey] ?? {}) as SealedSecrets
    const modules = storable(change(shown(before)), secrets, keyring, tenant.id, refuse)
    if (!(await tx.tenant.replaceModules(modules, stored.revision, now))) {
      throw new WriteConflict('The tenant changed between reading and writing its configuration')
    }
    const secretPaths = changedSecrets(secrets, (modules[senderSecretsKey] ?? {}) as SealedSecrets, keyring, tenant.id)
    const changes = configurationChanges(shown(before), shown(modules), secretPaths)
    const subject = { kind: 'configuration', id: tenant.id } as const
    if (changes !== null) await record(tx, call, { type: 'configuration.changed', subject, changes })
    return presented(modules)
  })
  await senderWatch(tenant.id)
  return changed
}

/** The modules with the secrets of senders sealed, after checking the templates. */
function storable(
  modules: TenantModules,
  stored: SealedSecrets,
  keyring: Keyring,
  tenantId: string,
  refuse: Refuse<'VALIDATION_ERROR'>,
): Modules {
  if (modules.delivery === undefined) return modules
  const problems = checkTemplates(modules.delivery.templates ?? {}, 'delivery.templates')
  if (Object.keys(problems).length > 0) throw refuse('VALIDATION_ERROR', { validation: problems })
  const sealed = sealSecrets(modules.delivery, stored, keyring, tenantId)
  if ('validation' in sealed) throw refuse('VALIDATION_ERROR', { validation: sealed.validation })
  return { ...modules, delivery: sealed.delivery, [senderSecretsKey]: sealed.secrets }
}

function requirePlainJson(body: unknown, refuse: Refuse<'VALIDATION_ERROR'>): void {
  const problems = plainJsonProblems(body)
  if (Object.keys(problems).length > 0) throw refuse('VALIDATION_ERROR', { validation: problems })
}

function requireModules(merged: unknown, { refuse }: ConfigurationCall): TenantModules {
  const { data, error } = TenantModules.safeParse(merged, { error: validationMessage })
  if (error !== undefined) throw refuse('VALIDATION_ERROR', { validation: fieldMessages(error.issues) })
  if (Buffer.byteLength(JSON.stringify(data)) > maxStoredBytes) {
    throw refuse('VALIDATION_ERROR', { validation: { body: 'The configuration would be larger than 1 MiB' } })
  }
  return data
}
