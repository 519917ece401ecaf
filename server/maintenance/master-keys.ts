import { resolve } from 'node:path'
import { createKeyring } from '../secrets/keyring.ts'
import { generateMasterKeys } from '../secrets/master-keys.ts'
import type { DatabaseSettings } from '../settings/database-settings.ts'
import { keepSecrets, readKeptSecrets, secretsPathOf } from '../settings/kept-secrets.ts'
import { SettingsReader } from '../settings/settings-reader.ts'
import type { PlaceSource } from './place.ts'
import { type ResealReport, resealAll, type SealedInventory, takeInventory } from './reseal.ts'
import { useExecutor } from './use-executor.ts'

/** The master keys of a deployment, and the file they are kept in; null: the environment has them. */
interface MasterKeys {
  readonly text: string
  readonly keptIn: string | null
}

/** Where a rotation stands. */
export type Rotation =
  /** A key was made and kept; servers must be restarted before anything is sealed anew. */
  | { readonly step: 'key made'; readonly current: string; readonly keptIn: string }
  /** Something is sealed under other keys still, and nobody has said that the servers know the current one. */
  | { readonly step: 'restart'; readonly current: string; readonly sealed: SealedInventory }
  | ({ readonly step: 'resealed'; readonly current: string; readonly older: readonly string[] } & ResealReport)

/** What a rotation goes by. */
export interface RotationOptions extends PlaceSource {
  readonly place: DatabaseSettings
  /** Whether every server has been restarted with the current key. */
  readonly restarted: boolean
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * One step of a rotation. Keys of the service's own making: a new one is made when there is but one. Then, and for keys
 * that the environment has: what is sealed under others is sealed under the first.
 */
export function rotateMasterKeys({ env, folder, place, restarted, now }: RotationOptions): Promise<Rotation> {
  const keys = readMasterKeys({ env, folder }, place)
  const keyring = createKeyring(keys.text)
  const [current, ...older] = keyring.keyIds as [string, ...string[]]
  if (keys.keptIn !== null && older.length === 0) {
    const text = `${newMasterKey(keyring.keyIds, now)},${keys.text}`
    keepSecrets(keys.keptIn, { masterKeys: text })
    return Promise.resolve({ step: 'key made', current: createKeyring(text).keyIds[0]!, keptIn: keys.keptIn })
  }
  return useExecutor(place, async (executor) => {
    const sealed = await takeInventory(executor, keyring, now)
    if (older.some((id) => sealed.open.has(id)) && !restarted) return { step: 'restart', current, sealed }
    return { step: 'resealed', current, older, ...(await resealAll(executor, keyring, now)) }
  })
}

/**
 * Takes a key out of those that the service made.
 * @returns the file that has one key less
 * @throws Error when something is sealed under it still, or the environment has the keys
 */
export async function forgetMasterKey(
  { env, folder, place, now }: Omit<RotationOptions, 'restarted'>,
  id: string,
): Promise<string> {
  const { text, keptIn } = readMasterKeys({ env, folder }, place)
  if (keptIn === null) throw new Error(`Take ${id} out of TENANTRY_MASTER_KEYS yourself, and restart the servers.`)
  const keyring = createKeyring(text)
  const { keyIds } = keyring
  if (!keyIds.includes(id)) throw new Error(`${keptIn} has no key ${id}; it has ${keyIds.join(', ')}.`)
  if (keyIds[0] === id) throw new Error(`${id} is the key that seals: it cannot be forgotten.`)
  const { open, closed } = await useExecutor(place, (executor) => takeInventory(executor, keyring, now))
  if (open.has(id) || closed.has(id))
    throw new Error(`Something is sealed under ${id} still: "tenantry master-key rotate" first.`)
  const entries = text.split(',').filter((_, index) => keyIds[index] !== id)
  keepSecrets(keptIn, { masterKeys: entries.join(',') })
  return keptIn
}

/** As the server reads them: set, or kept beside the database outside production. */
function readMasterKeys({ env, folder }: PlaceSource, place: DatabaseSettings): MasterKeys {
  const settings = new SettingsReader(env, [])
  const text = settings.secret('TENANTRY_MASTER_KEYS')
  if (settings.problems.length > 0) throw new Error(settings.problems.join('\n'))
  if (text !== undefined) return { text, keptIn: null }
  const keptIn = resolve(folder, secretsPathOf(place))
  const kept = env['TENANTRY_ENVIRONMENT'] === 'production' ? undefined : readKeptSecrets(keptIn).masterKeys
  if (kept !== undefined) return { text: kept, keptIn }
  throw new Error(
    'No master keys: set TENANTRY_MASTER_KEYS, or TENANTRY_MASTER_KEYS_FILE, as it is set for the servers.',
  )
}

/** `kid:base64` with an id that none of the others has: two may be made on one day. */
function newMasterKey(taken: readonly string[], now: number): string {
  const [id, key] = generateMasterKeys(now).split(':') as [string, string]
  let unique = id
  for (let number = 2; taken.includes(unique); number++) unique = `${id}-${number}`
  return `${unique}:${key}`
}
