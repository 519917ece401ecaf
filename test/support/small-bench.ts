import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The root of the repository. */
export const root = join(import.meta.dirname, '../..')

const small = ['--users', '64', '--sessions', '32', '--connections', '4', '--rounds', '1', '--seconds', '0.05']

/** A bench that hangs is ended before its test file, so that it ends its servers. */
const options = { cwd: root, timeout: 180_000 }

/** What a bench prints whose rounds are too short for figures: it only shows that it runs against the service as it is. */
export async function smallBench(...args: string[]): Promise<string> {
  const script = join(root, 'bench/bench.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args, ...small], options)
  return stdout
}

/** The lines of a table that begin with a name and a number. */
export const namesIn = (table: string): string[] =>
  table.split('\n').flatMap((line) => /^( *\S.*?) {2,}[\d.]+(?: |$)/.exec(line)?.[1]?.trim() ?? [])
