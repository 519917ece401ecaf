import { resolve } from 'node:path'
import { createKeyring } from '../secrets/keyring.ts'
import { generateMasterKeys } from '../secrets/master-keys.ts'
import type { DatabaseSettings } from '../settings/database-settings.ts'
import { keepSecrets, readKeptSecrets, secretsPathOf } from '../settings/kept-secrets.ts'
import { SettingsReader } from '../settings/settings-reader.ts'
import type { Executor } from '../storage/database.ts'
import { databaseNow } from '../storage/postgres/database-now.ts'
import type { PlaceSource } from './place.ts'
import type { WatchTable } from './progress.ts'
import { type ResealReport, resealAll, type SealedInventory, takeInventory } from './reseal.ts'
import { requireCurrentSchema } from './schema.ts'
import { useExecutor } from './use-executor.ts'
import { useSource } from './use-tables.ts'

/** The master keys of a deployment, and the file that stores them; null if they are in the environment. */
interface MasterKeys {
  readonly text: string
  readonly keptIn: string | null
}

/** The state of a rotation. */
export type Rotation =
  /** A key was generated and stored; servers must be restarted before data is re-encrypted. */
  | { readonly step: 'key made'; readonly current: string; readonly keptIn: string }
  /** Data is still encrypted with other keys, and a restart of all servers with the current key is not confirmed. */
  | { readonly step: 'restart'; readonly current: string; readonly sealed: SealedInventory }
  | ({ readonly step: 'resealed'; readonly current: string; readonly older: readonly string[] } & ResealReport)

/** The options of a rotation. */
interface RotationOptions extends PlaceSource {
  readonly place: DatabaseSettings
  /** Whether every server has been restarted with the current key. */
  readonly restarted: boolean
  /** The time of this machine, epoch milliseconds. */
  readonly now: number
  readonly watch: WatchTable
}

/**
 * One step of a rotation. If the service generated its only key and no restart is confirmed, generates a new one. Otherwise
 * re-encrypts all data with the first key.
 * @throws Error if the database has another schema than this program, which could miss encrypted data
 */
export async function rotateMasterKeys({
  env,
  folder,
  place,
  restarted,
  now,
  watch,
}: RotationOptions): Promise<Rotation> {
  const keys = readMasterKeys({ env, folder }, place)
  const keyring = createKeyring(keys.text)
  const [current, ...older] = keyring.keyIds as [string, ...string[]]
  await requireKnownSchema(place)
  if (keys.keptIn !== null && older.length === 0 && !restarted) {
    const text = `${generateMasterKeys(now)},${keys.text}`
    replaceKeys(keys.keptIn, keys.text, text)
    return { step: 'key made', current: createKeyring(text).keyIds[0]!, keptIn: keys.keptIn }
  }
  return useExecutor(place, async (executor) => {
    const time = await timeOf(place, executor, now)
    const sealed = await takeInventory(executor, keyring, time, watch)
    if (older.some((id) => sealed.open.has(id)) && !restarted) return { step: 'restart', current, sealed }
    return { step: 'resealed', current, older, ...(await resealAll(executor, keyring, time, watch)) }
  })
}

/**
 * Removes a key from the keys that the service generated.
 * @returns the file with the remaining keys
 * @throws Error if data is still encrypted with it, the keys are in the environment, or the database has another schema
 */
export async function forgetMasterKey(
  { env, folder, place, now, watch }: Omit<RotationOptions, 'restarted'>,
  id: string,
): Promise<string> {
  const { text, keptIn } = readMasterKeys({ env, folder }, place)
  if (keptIn === null)
    throw new Error(`The keys are not in secrets.json. Remove ${id} from TENANTRY_MASTER_KEYS and restart the servers.`)
  const keyring = createKeyring(text)
  const { keyIds } = keyring
  if (!keyIds.includes(id)) throw new Error(`${keptIn} has no key ${id}; its keys: ${keyIds.join(', ')}.`)
  if (keyIds[0] === id) throw new Error(`${id} is the current key and cannot be removed.`)
  await requireKnownSchema(place)
  const { open, closed } = await useExecutor(place, async (executor) =>
    takeInventory(executor, keyring, await timeOf(place, executor, now), watch),
  )
  if (open.has(id) || closed.has(id))
    throw new Error(`Data is still encrypted with ${id}. Run "tenantry master-key rotate" first.`)
  const entries = text.split(',').filter((_, index) => keyIds[index] !== id)
  replaceKeys(keptIn, text, entries.join(','))
  return keptIn
}

/**
 * Reading the database takes time, in which another command may have generated a key. A server that has been restarted
 * since may encrypt with it. What remains is the time of one write, in which none restarts.
 * @throws Error if the file no longer has the keys that were read
 */
function replaceKeys(keptIn: string, before: string, after: string): void {
  if (readKeptSecrets(keptIn).masterKeys !== before)
    throw new Error(`The keys in ${keptIn} have changed meanwhile. Nothing was written; run the command again.`)
  keepSecrets(keptIn, { masterKeys: after })
}

/** Another version may encrypt data that this one does not look for, and a key would seem to be removable. */
const requireKnownSchema = (place: DatabaseSettings): Promise<void> =>
  useSource(place, (database) => requireCurrentSchema(database, 'The database'))

/**
 * The time by which servers judge expiry. On SQLite it is never behind this machine's, so what has expired by this machine's
 * clock has expired for the server too.
 */
const timeOf = async ({ engine }: DatabaseSettings, executor: Executor, now: number): Promise<number> =>
  engine === 'postgres' ? databaseNow(executor) : now

function readMasterKeys(source: PlaceSource, place: DatabaseSettings): MasterKeys {
  const keys = findMasterKeys(source, place)
  if (keys !== null) return keys
  throw new Error('No master keys found. Set TENANTRY_MASTER_KEYS or TENANTRY_MASTER_KEYS_FILE as for the servers.')
}

/**
 * The keys as the server reads them: from the environment or, outside production, from the file beside the database.
 * Null if they are in neither.
 */
export function findMasterKeys({ env, folder }: PlaceSource, place: DatabaseSettings): MasterKeys | null {
  const settings = new SettingsReader(env, [])
  const text = settings.secret('TENANTRY_MASTER_KEYS')
  if (settings.problems.length > 0) throw new Error(settings.problems.join('\n'))
  if (text !== undefined) return { text, keptIn: null }
  const keptIn = resolve(folder, secretsPathOf(place))
  const kept = env['TENANTRY_ENVIRONMENT'] === 'production' ? undefined : readKeptSecrets(keptIn).masterKeys
  return kept === undefined ? null : { text: kept, keptIn }
}
