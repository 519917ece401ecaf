import type { Clock } from '../core/clock.ts'
import {
  type Acts,
  actNames,
  type CountDirectory,
  type HalfHour,
  halfHourMs,
  noActs,
  type Totals,
} from './tenant-counts.ts'

type CountName = keyof Acts | keyof Totals

/** Counts in memory and writes once a minute, so that counting adds no statement to an act and no row that acts contend for. */
export interface Counts {
  /** Call it after the commit of what is counted. */
  add(tenantId: string, name: CountName, n?: number): void
  /** Writes what was counted; keeps what could not be written for the next time. */
  flush(): Promise<void>
}

type Numbers = Record<CountName, number>

interface Tally extends Numbers {
  readonly tenantId: string
  readonly at: number
}

const noTotals = { users: 0, guests: 0, suspended: 0, openSessions: 0 }
const totalNames = Object.keys(noTotals) as (keyof Totals)[]
/** Tenants per transaction; few, so that it does not hold the writer for long. */
const batchSize = 200

export function createCounts(
  directory: Pick<CountDirectory, 'addActs' | 'addOwnActs' | 'addTotals'>,
  clock: Clock,
): Counts {
  /** By half hour and tenant. */
  let counted = new Map<number, Map<string, Tally>>()
  /** What tenants' rows have and the deployment's have not yet. */
  const own = new Map<number, Record<keyof Acts, number>>()
  let flushing: Promise<void> = Promise.resolve()

  function tallyOf(tenantId: string, at: number): Tally {
    const ofHalfHour = counted.get(at) ?? new Map<string, Tally>()
    counted.set(at, ofHalfHour)
    const tally = ofHalfHour.get(tenantId) ?? { tenantId, at, ...noActs, ...noTotals }
    ofHalfHour.set(tenantId, tally)
    return tally
  }

  function giveBack(tallies: readonly Tally[]): void {
    for (const tally of tallies) {
      const kept = tallyOf(tally.tenantId, tally.at)
      for (const name of [...actNames, ...totalNames]) kept[name] += tally[name]
    }
  }

  async function writeBatch(batch: readonly Tally[]): Promise<void> {
    const acted = batch.filter((tally) => actNames.some((name) => tally[name] !== 0))
    if (acted.length > 0) await directory.addActs(acted)
    for (const tally of acted) {
      const sums = own.get(tally.at) ?? { ...noActs }
      own.set(tally.at, sums)
      for (const name of actNames) {
        sums[name] += tally[name]
        tally[name] = 0
      }
    }
    const changed = batch.filter((tally) => totalNames.some((name) => tally[name] !== 0))
    if (changed.length > 0) await directory.addTotals(changed, clock.now())
  }

  async function write(): Promise<void> {
    const tallies = [...counted.values()].flatMap((ofHalfHour) => [...ofHalfHour.values()])
    counted = new Map()
    for (let next = 0; next < tallies.length; next += batchSize) {
      try {
        await writeBatch(tallies.slice(next, next + batchSize))
      } catch (error) {
        giveBack(tallies.slice(next))
        throw error
      }
    }
    if (own.size === 0) return
    const halfHours: HalfHour[] = [...own].map(([at, sums]) => ({ at, ...sums }))
    await directory.addOwnActs(halfHours)
    own.clear()
  }

  return {
    add(tenantId, name, n = 1) {
      const now = clock.now()
      tallyOf(tenantId, now - (now % halfHourMs))[name] += n
    },
    flush() {
      flushing = flushing.catch(() => {}).then(write)
      return flushing
    },
  }
}
