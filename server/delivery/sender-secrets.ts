import { type SenderSettings, secretFields, senderNames } from '../../contract/delivery-senders.ts'
import { maskedSecret } from '../../contract/senders/sender-kind.ts'
import type { DeliveryModule } from '../../contract/tenant-modules.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { destinationOf } from './providers/provider-kinds.ts'

/** Sealed secrets of a tenant's senders, by the place of each; stored beside the modules, never among them. */
export type SealedSecrets = Readonly<Record<string, string>>

/** A delivery module as it may be stored and shown, and its secrets apart. */
export interface SealedDelivery {
  readonly delivery: DeliveryModule
  readonly secrets: SealedSecrets
}

const methods = ['email', 'sms'] as const
type Method = (typeof methods)[number]

/** What a secret's ciphertext is bound to: its tenant, and the key that `SealedSecrets` has it under. */
export const senderSecretContext = (tenantId: string, key: string): string[] => ['sender-secret', tenantId, key]

/**
 * Takes the secrets out of a module and seals them. A mask in place of a secret keeps the one stored for the sender of
 * that name, type and destination: a secret is never sent to a host it was not given for.
 * @returns a message a field for masks with nothing behind them
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
      const place = placeOf(method, sender, name, field)
      const kept = stored[place]
      if (value !== maskedSecret) secrets[place] = keyring.seal(value, senderSecretContext(tenantId, place))
      else if (kept !== undefined) secrets[place] = kept
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

/** The module with its secrets back in their places, for making senders of it; never to be shown or stored. */
export function openSecrets({ delivery, secrets }: SealedDelivery, keyring: Keyring, tenantId: string): DeliveryModule {
  return mapSenders(delivery, (method, sender, name) => {
    const opened: Record<string, unknown> = { ...sender }
    for (const field of secretFields(sender)) {
      const place = placeOf(method, sender, name, field)
      const sealed = secrets[place]
      if (sealed !== undefined) opened[field] = keyring.open(sealed, senderSecretContext(tenantId, place))
    }
    return opened as typeof sender
  })
}

/** What a sealed secret is bound to. */
const placeOf = (method: Method, sender: SenderSettings, name: string, field: string): string =>
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
