import { type SenderSettings, secretFields } from '../../contract/senders/delivery-senders.ts'
import { maskedSecret } from '../../contract/senders/sender-kind.ts'
import { senderNames } from '../../contract/senders/sender-names.ts'
import type { DeliveryModule } from '../../contract/tenants/tenant-modules.ts'
import { type Keyring, SealBroken } from '../secrets/keyring.ts'
import { destinationOf } from './providers/provider-kinds.ts'

/** Encrypted secrets of a tenant's senders by their key (`keyOf`); stored beside the modules, not in them. */
export type SealedSecrets = Readonly<Record<string, string>>

/** A delivery module with masked secrets, and its encrypted secrets. */
export interface SealedDelivery {
  readonly delivery: DeliveryModule
  readonly secrets: SealedSecrets
}

const methods = ['email', 'sms'] as const
type Method = (typeof methods)[number]

/** The associated data of a secret: its tenant and its key in `SealedSecrets`. */
export const senderSecretContext = (tenantId: string, key: string): string[] => ['sender-secret', tenantId, key]

/**
 * Replaces the secrets in a module with masks and encrypts them. A mask keeps the secret stored for the sender of the same
 * name, type and destination: a secret is never sent to a host it was not configured for.
 * @returns validation messages by field for masks without a stored secret
 */
export function sealSecrets(
  delivery: DeliveryModule,
  stored: SealedSecrets,
  keyring: Keyring,
  tenantId: string,
): SealedDelivery | { validation: Record<string, string> } {
  const secrets: Record<string, string> = {}
  const validation: Record<string, string> = {}

  function seal<S extends SenderSettings>(method: Method, sender: S, name: string, index: number): S {
    const given = sender as Record<string, unknown>
    const masked: Record<string, unknown> = { ...sender }
    for (const field of secretFields(sender)) {
      const value = given[field]
      if (typeof value !== 'string') continue
      const key = keyOf(method, sender, name, field)
      const kept = stored[key]
      if (value !== maskedSecret) secrets[key] = keyring.seal(value, senderSecretContext(tenantId, key))
      else if (kept !== undefined) secrets[key] = kept
      else
        validation[`delivery.${method}.${index}.${field}`] =
          'Give the secret itself: none is stored for this sender and destination'
      masked[field] = maskedSecret
    }
    return masked as S
  }

  const sealed = mapSenders(delivery, seal)
  return Object.keys(validation).length > 0 ? { validation } : { delivery: sealed, secrets }
}

/** The module with its decrypted secrets, for creating providers. Never shown or stored. */
export function openSecrets({ delivery, secrets }: SealedDelivery, keyring: Keyring, tenantId: string): DeliveryModule {
  return mapSenders(delivery, (method, sender, name) => {
    const opened: Record<string, unknown> = { ...sender }
    for (const field of secretFields(sender)) {
      const key = keyOf(method, sender, name, field)
      const sealed = secrets[key]
      if (sealed !== undefined) opened[field] = keyring.open(sealed, senderSecretContext(tenantId, key))
    }
    return opened as typeof sender
  })
}

/** The settings whose secrets differ, by their paths such as `delivery.email.smtp.password`. */
export function changedSecrets(
  before: SealedSecrets,
  after: SealedSecrets,
  keyring: Keyring,
  tenantId: string,
): string[] {
  const open = (secrets: SealedSecrets, key: string): string | null => {
    try {
      return keyring.open(secrets[key] ?? '', senderSecretContext(tenantId, key))
    } catch (error) {
      if (error instanceof SealBroken) return null
      throw error
    }
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = keys.filter((key) => {
    if (before[key] === after[key]) return false
    const opened = open(after, key)
    return opened === null || opened !== open(before, key)
  })
  return changed.map((key) => {
    const [method, , name, ...rest] = key.split('/')
    return `delivery.${method}.${name}.${rest.at(-1)}`
  })
}

/** The key of a secret in `SealedSecrets`; includes everything that the secret is bound to. */
const keyOf = (method: Method, sender: SenderSettings, name: string, field: string): string =>
  [method, sender.type, name, destinationOf(sender), field].join('/')

function mapSenders(
  delivery: DeliveryModule,
  change: <S extends SenderSettings>(method: Method, sender: S, name: string, index: number) => S,
): DeliveryModule {
  const result: DeliveryModule = { ...delivery }
  for (const method of methods) {
    const senders = delivery[method] as SenderSettings[] | undefined
    if (senders === undefined) continue
    const names = senderNames(senders)
    const changed = senders.map((sender, index) =>
      change(method, { ...sender, name: names[index] }, names[index]!, index),
    )
    Object.assign(result, { [method]: changed })
  }
  return result
}
