import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'
import { checkout, startArgumentsIn, startChild } from './child.ts'
import { median, row } from './table.ts'
import { temporaryFolder } from './temporary-folder.ts'

interface StartupOptions {
  /** Other checkouts to start in alternation with this one. */
  readonly folders: readonly string[]
  readonly rounds: number
}

/** A start up to its first response. */
interface Start {
  readonly wallMs: number
  /** Of all threads. */
  readonly processorMs: number
  readonly residentMiB: number
}

/**
 * `npm run bench -- start [folder …] [--rounds 5]`: the time, processor time and memory from spawning `npm start`'s command
 * to the first response. `first`: without database and compile cache. `again`: with those that earlier starts left. On
 * a shared machine compare processor time.
 */
export async function benchStartup({ folders, rounds }: StartupOptions): Promise<void> {
  const sides = [checkout, ...folders].map(prepare)
  for (const side of sides) await side.start('kept')
  for (let round = 0; round < rounds; round++) {
    for (const { first, again, start } of sides) {
      first.push(await start(`new-${round}`))
      again.push(await start('kept'))
    }
  }
  console.log(`\nNode ${process.version}, medians of ${rounds} alternating starts\n`)
  console.log(row('', 'wall ms', 'CPU ms', 'RSS MiB'))
  for (const { root, first, again } of sides) {
    console.log(root)
    for (const [name, starts] of Object.entries({ first, again })) {
      const middle = (of: keyof Start) => median(starts.map((start) => start[of])).toFixed(0)
      console.log(row(`  ${name}`, middle('wallMs'), middle('processorMs'), middle('residentMiB')))
    }
  }
}

function prepare(root: string) {
  const folder = temporaryFolder()
  return {
    root,
    first: [] as Start[],
    again: [] as Start[],
    /** Starts and stops a server whose database and compile cache are in a folder of this name. */
    async start(name: string): Promise<Start> {
      const home = join(folder, name)
      await mkdir(home, { recursive: true })
      const port = await freePort()
      const env = {
        ...{ PORT: String(port), HOST: '127.0.0.1', DATABASE_URL: `sqlite:${home}/tenantry.db` },
        ...{ TMPDIR: home, NODE_COMPILE_CACHE: undefined },
      }
      const child = await startChild(port, startArgumentsIn(root), env, '/healthz', root)
      const start = { wallMs: child.startMs, processorMs: child.processorMs(), residentMiB: child.residentMiB() }
      await child.stop()
      return start
    },
  }
}
