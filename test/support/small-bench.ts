import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The root of the repository. */
export const root = join(import.meta.dirname, '../..')

const small = ['--users', '64', '--sessions', '32', '--connections', '4', '--rounds', '1', '--seconds', '0.05']

/**
 * What a bench prints whose rounds are too short for figures: it only shows that it runs against the service as it is. It
 * runs again when PostgreSQL did not answer in time, as on a machine whose disk is busy for seconds.
 * @throws when it fails, with the errors that its servers logged
 */
export async function smallBench(...args: string[]): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runSmallBench(args)
    } catch (error) {
      if (attempt === attempts || !String(error).includes('ResponseTimeout')) throw error
    }
  }
}

const attempts = 3

async function runSmallBench(args: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-small-bench-'))
  const log = join(folder, 'log')
  // A bench that hangs is ended before its test file, so that it ends its servers.
  const options = { cwd: root, timeout: 180_000, env: { ...process.env, TENANTRY_TEST_BENCH_LOG: log } }
  const command = [join(root, 'bench/bench.ts'), ...args, ...small]
  try {
    return (await promisify(execFile)(process.execPath, command, options)).stdout
  } catch (error) {
    throw new Error(`The bench failed. Its servers logged: ${await errorsIn(log)}`, { cause: error })
  } finally {
    await rm(folder, { recursive: true })
  }
}

const errorsIn = async (log: string): Promise<string> =>
  (await readFile(log, 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => /"level":[56]0,/.test(line))
    .join('\n')

/** The lines of a table that begin with a name and a number. */
export const namesIn = (table: string): string[] =>
  table.split('\n').flatMap((line) => /^( *\S.*?) {2,}[\d.]+(?: |$)/.exec(line)?.[1]?.trim() ?? [])
