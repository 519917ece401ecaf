import type { Command } from 'commander'
import type { Rotation } from '../server/maintenance/master-keys.ts'
import type { SealedCounts, SealedInventory } from '../server/maintenance/reseal.ts'
import { addDatabaseOption, type DatabaseOption, show } from './database-options.ts'
import { CommandFailure, type Terminal } from './terminal.ts'

const notes = `
It works on the database itself, with the keys that TENANTRY_MASTER_KEYS holds: set it as it is for the servers, the new
key first. Where the service made its key (secrets.json), the first run makes the next one. Then every server is
restarted, and a run with --restarted seals all the rest under it. docs/guides/rotating-master-keys.md has the steps.

Example:
  tenantry master-key rotate --restarted`

/** `tenantry master-key …` */
export function addMasterKeyCommands(program: Command, terminal: Terminal): void {
  const masterKey = program
    .command('master-key')
    .description('The keys that codes, signing keys and secrets are sealed under')

  addDatabaseOption(
    masterKey
      .command('rotate')
      .description('seal everything under the first master key, while servers serve; can be repeated')
      .option('--restarted', 'every server has been restarted with that key')
      .addHelpText('after', notes),
  ).action(async ({ database, restarted }: DatabaseOption & { restarted?: true }, command: Command) => {
    const { rotateMasterKeys } = await import('../server/maintenance/master-keys.ts')
    const options = { ...(await databaseOf(database, terminal)), restarted: restarted ?? false }
    const rotation = await rotateMasterKeys(options)
    show(command, terminal, plain(rotation), describe(rotation))
    requireDone(rotation)
  })

  addDatabaseOption(
    masterKey
      .command('forget')
      .description('take a key that nothing is sealed under any more out of secrets.json')
      .argument('<id>', 'what stands before the colon, such as k20260115')
      .addHelpText('after', '\nExample:\n  tenantry master-key forget k20260115'),
  ).action(async (id: string, { database }: DatabaseOption, command: Command) => {
    const { forgetMasterKey } = await import('../server/maintenance/master-keys.ts')
    const file = await forgetMasterKey(await databaseOf(database, terminal), id)
    show(command, terminal, { forgotten: id, file }, `${file} has no ${id} any more: restart every server.`)
  })
}

async function databaseOf(url: string | undefined, { env, folder }: Terminal) {
  const { readPlace, requireExisting } = await import('../server/maintenance/place.ts')
  const place = readPlace({ env, folder }, { option: '--database', url })
  requireExisting(place)
  return { env, folder, place, now: Date.now() }
}

/** For machines: maps as objects. */
const plain = (rotation: Rotation): unknown =>
  JSON.parse(JSON.stringify(rotation, (_key, value) => (value instanceof Map ? Object.fromEntries(value) : value)))

function describe(rotation: Rotation): string {
  switch (rotation.step) {
    case 'key made':
      return [
        `Made the master key ${rotation.current}; it is the first in ${rotation.keptIn} now. Nothing is sealed under it yet.`,
        'Restart every server, so that all of them know it; then run "tenantry master-key rotate --restarted".',
      ].join('\n')
    case 'restart':
      return inventory(rotation.sealed).join('\n')
    case 'resealed': {
      const { current, older, resealed, left } = rotation
      const removable = older.filter((id) => !left.open.has(id) && !left.closed.has(id))
      return [
        `Sealed anew under ${current}: ${counted(resealed)}.`,
        ...inventory(left),
        ...removable.map(sayRemovable),
      ].join('\n')
    }
  }
}

const sayRemovable = (id: string): string =>
  `Nothing is sealed under ${id}: unless it is a new one that is yet to be the first, it can be removed. Until 30 days ` +
  'after the restart, that ends the detection of reuse for refresh tokens of its time.'

/** A text that was altered may have lost the key's id. */
const nameOf = (id: string): string => id || 'no key'

const inventory = ({ open, closed }: SealedInventory): string[] => [
  ...[...open].map(([id, counts]) => `Sealed under ${id}: ${counted(counts)}.`),
  ...[...closed].map(
    ([id, counts]) => `Sealed under ${nameOf(id)}, and no key that is set opens it: ${counted(counts)}.`,
  ),
]

const counted = (counts: SealedCounts): string =>
  Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ') || 'nothing'

function requireDone(rotation: Rotation): void {
  if (rotation.step === 'restart') {
    throw new CommandFailure(
      `A server that does not know ${rotation.current} could not open what is sealed under it. When every server has been restarted with it, run this again with --restarted.`,
    )
  }
  if (rotation.step !== 'resealed') return
  const { current, older, left } = rotation
  const known = [current, ...older]
  const open = older.filter((id) => left.open.has(id))
  if (open.length > 0) {
    throw new CommandFailure(
      `Something is sealed under ${open.join(', ')} again: see that every server has ${current} first, and run this once more.`,
    )
  }
  const closed = known.filter((id) => left.closed.has(id))
  if (closed.length > 0) {
    throw new CommandFailure(
      `Something is sealed under another key called ${closed.join(', ')}, or was altered: keep the key.`,
    )
  }
  const missing = [...left.closed.keys()].filter((id) => !known.includes(id))
  if (missing.length > 0) {
    throw new CommandFailure(
      `Something is sealed under ${missing.map(nameOf).join(', ')}, and no key that is set opens it: set the key it was sealed under too, behind the first, and run this once more.`,
    )
  }
}
