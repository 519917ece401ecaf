import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, realpathSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../campaign/seeded-random.ts'
import { compileLibrary } from './preloaded-library.ts'

/** A disk whose machine loses its power, under the processes that get its environment. */
export interface LosingDisk {
  /** For the process whose database is on it. */
  readonly environment: Readonly<Record<string, string>>
  /**
   * Once the process is dead: leaves the files as they may be after a power loss. Of the writes that no fsync has followed
   * none is there, or all, or some pages of them. The shared memory beside them is gone.
   * @returns how many such writes there were
   */
  losePower(random: Random): number
}

/** @param lies whether every fsync only says that it was done: what the campaign must find out */
export async function createLosingDisk(folder: string, lies = false): Promise<LosingDisk | string> {
  const library = await compileLibrary('losing-disk', folder)
  if ('missing' in library) return library.missing
  const database = join(realpathSync(folder), 'tenantry.db')
  return {
    environment: {
      LD_PRELOAD: library.path,
      LOSING_DISK_PATH: database,
      ...(lies && { LOSING_DISK_LIES: '1' }),
    },
    losePower(random) {
      rmSync(`${database}-shm`, { force: true })
      return loseWrites(database, random) + loseWrites(`${database}-wal`, random)
    },
  }
}

/** A write or, where `written` is null, a truncation. */
interface Unsynced {
  readonly at: number
  /** Of the file before it. */
  readonly fileSize: number
  readonly before: Buffer
  readonly written: Buffer | null
}

const headerBytes = 24
const truncation = 0xffffffff
/** What reaches a disk whole. */
const pageBytes = 4096

function readUnsynced(path: string): Unsynced[] {
  const bytes = readFileSync(path)
  const found: Unsynced[] = []
  for (let from = 0; from < bytes.length; ) {
    const [at, fileSize] = [bytes.readBigUInt64LE(from), bytes.readBigUInt64LE(from + 8)]
    const [size, oldSize] = [bytes.readUInt32LE(from + 16), bytes.readUInt32LE(from + 20)]
    const old = from + headerBytes
    const end = old + oldSize + (size === truncation ? 0 : size)
    // A process that was killed may have written half of the last record, and nothing of what it is about.
    if (end > bytes.length) break
    const written = size === truncation ? null : bytes.subarray(old + oldSize, end)
    found.push({ at: Number(at), fileSize: Number(fileSize), before: bytes.subarray(old, old + oldSize), written })
    from = end
  }
  return found
}

function loseWrites(path: string, random: Random): number {
  const records = `${path}.unsynced`
  if (!existsSync(records) || !existsSync(path)) return 0
  const unsynced = readUnsynced(records)
  const file = openSync(path, 'r+')
  for (const { at, fileSize, before } of unsynced.toReversed()) {
    writeSync(file, before, 0, before.length, at)
    ftruncateSync(file, fileSize)
  }
  const share = random.pick([0, 0.5, 1])
  for (const { at, written } of unsynced) {
    if (written === null) {
      if (random.next() < share) ftruncateSync(file, at)
      continue
    }
    for (let from = 0; from < written.length; from += pageBytes) {
      const page = written.subarray(from, from + pageBytes)
      if (random.next() < share) writeSync(file, page, 0, page.length, at + from)
    }
  }
  closeSync(file)
  rmSync(records)
  return unsynced.length
}
