import type { Command } from 'commander'
import type { Rotation } from '../../server/maintenance/master-keys.ts'
import type { SealedCounts, SealedInventory } from '../../server/maintenance/reseal.ts'
import { watchTables } from '../terminal/progress-bar.ts'
import { CommandFailure, type Terminal } from '../terminal/terminal.ts'
import { addDatabaseOption, type DatabaseOption, show } from './database-options.ts'

const notes = `
The command opens the database directly. Set TENANTRY_MASTER_KEYS as for the servers, with the new key first; if the
service generated its keys (secrets.json), the first run generates a new one. Restart every server, then run the command
with --restarted to re-encrypt the remaining data. docs/guides/rotating-master-keys.md has all steps.

Example:
  tenantry master-key rotate --restarted`

/** `tenantry master-key …` */
export function addMasterKeyCommands(program: Command, terminal: Terminal): void {
  const masterKey = program
    .command('master-key')
    .description('rotate the keys that encrypt codes, signing keys and secrets')

  addDatabaseOption(
    masterKey
      .command('rotate')
      .description('re-encrypt all data with the first master key; servers can keep running; can be repeated')
      .option('--restarted', 'confirm that every server has been restarted with that key')
      .addHelpText('after', notes),
  ).action(async ({ database, restarted }: DatabaseOption & { restarted?: true }, command: Command) => {
    const { rotateMasterKeys } = await import('../../server/maintenance/master-keys.ts')
    const { watch, stop } = await watchTables(terminal)
    const options = { ...(await databaseOf(database, terminal)), restarted: restarted ?? false, watch }
    const rotation = await rotateMasterKeys(options).finally(stop)
    show(command, terminal, plain(rotation), describe(rotation))
    requireDone(rotation)
  })

  addDatabaseOption(
    masterKey
      .command('forget')
      .description('remove a key that encrypts no data from secrets.json')
      .argument('<id>', 'the part before the colon, such as k20260115-94b2f8d0')
      .addHelpText('after', '\nExample:\n  tenantry master-key forget k20260115-94b2f8d0'),
  ).action(async (id: string, { database }: DatabaseOption, command: Command) => {
    const { forgetMasterKey } = await import('../../server/maintenance/master-keys.ts')
    const { watch, stop } = await watchTables(terminal)
    const file = await forgetMasterKey({ ...(await databaseOf(database, terminal)), watch }, id).finally(stop)
    show(command, terminal, { forgotten: id, file }, `Removed ${id} from ${file}. Restart every server.`)
  })
}

async function databaseOf(url: string | undefined, { env, folder }: Terminal) {
  const { readPlace, requireExisting } = await import('../../server/maintenance/place.ts')
  const place = readPlace({ env, folder }, { option: '--database', url })
  requireExisting(place)
  return { env, folder, place, now: Date.now() }
}

/** For JSON: maps as objects. */
const plain = (rotation: Rotation): unknown =>
  JSON.parse(JSON.stringify(rotation, (_key, value) => (value instanceof Map ? Object.fromEntries(value) : value)))

function describe(rotation: Rotation): string {
  switch (rotation.step) {
    case 'key made':
      return [
        `Generated the master key ${rotation.current} as the first key in ${rotation.keptIn}. It does not encrypt any data yet.`,
        'Restart every server to load it, then run "tenantry master-key rotate --restarted".',
      ].join('\n')
    case 'restart':
      return inventory(rotation.sealed).join('\n')
    case 'resealed': {
      const { current, older, resealed, left } = rotation
      const removable = older.filter((id) => !left.open.has(id) && !left.closed.has(id))
      return [
        `Re-encrypted with ${current}: ${counted(resealed)}.`,
        ...inventory(left),
        ...removable.map(sayRemovable),
      ].join('\n')
    }
  }
}

const sayRemovable = (id: string): string =>
  `${id} encrypts no data. Unless it is a new key that is not yet first, it can be removed. Removed earlier than 30 days ` +
  'after the restart, refresh tokens issued under it lose reuse detection.'

/** An altered ciphertext may have lost its key id. */
const nameOf = (id: string): string => id || 'an unknown key'

const inventory = ({ open, closed }: SealedInventory): string[] => [
  ...[...open].map(([id, counts]) => `Encrypted with ${id}: ${counted(counts)}.`),
  ...[...closed].map(
    ([id, counts]) => `Encrypted with ${nameOf(id)}, not decryptable with the configured keys: ${counted(counts)}.`,
  ),
]

const counted = (counts: SealedCounts): string =>
  Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ') || 'nothing'

function requireDone(rotation: Rotation): void {
  if (rotation.step === 'restart') {
    throw new CommandFailure(
      `Servers without ${rotation.current} cannot decrypt data encrypted with it. Restart every server with this key, then run the command again with --restarted.`,
    )
  }
  if (rotation.step !== 'resealed') return
  const { current, older, left } = rotation
  const known = [current, ...older]
  const open = older.filter((id) => left.open.has(id))
  if (open.length > 0) {
    throw new CommandFailure(
      `New data was encrypted with ${open.join(', ')}. Make sure that every server has ${current} as its first key, then run the command again.`,
    )
  }
  const closed = known.filter((id) => left.closed.has(id))
  if (closed.length > 0) {
    throw new CommandFailure(
      `Data was altered, or encrypted with a different key named ${closed.join(', ')}. Keep the key.`,
    )
  }
  const missing = [...left.closed.keys()].filter((id) => !known.includes(id))
  if (missing.length > 0) {
    throw new CommandFailure(
      `Data is encrypted with ${missing.map(nameOf).join(', ')}, which is not configured. Add this key after the first one, then run the command again.`,
    )
  }
}
