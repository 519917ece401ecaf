import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, realpathSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../campaign/seeded-random.ts'
import { compileLibrary } from './preloaded-library.ts'

/** A disk that loses its power, for processes with its environment. */
export interface LosingDisk {
  /** For the process whose database is on it. */
  readonly environment: Readonly<Record<string, string>>
  /**
   * Once the process has ended: leaves the files as a power loss may leave them. Of the writes after the last fsync none,
   * all or some pages are there. The shared memory file is gone.
   * @returns the number of writes after the last fsync
   */
  losePower(random: Random): number
}

/** @param lies whether fsync does nothing, which the campaign must detect */
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
  /** The size of the file before it. */
  readonly fileSize: number
  readonly before: Buffer
  readonly written: Buffer | null
}

const headerBytes = 24
const truncation = 0xffffffff
/** The unit that a disk writes atomically. */
const pageBytes = 4096

function readUnsynced(path: string): Unsynced[] {
  const bytes = readFileSync(path)
  const found: Unsynced[] = []
  for (let from = 0; from < bytes.length; ) {
    const [at, fileSize] = [bytes.readBigUInt64LE(from), bytes.readBigUInt64LE(from + 8)]
    const [size, oldSize] = [bytes.readUInt32LE(from + 16), bytes.readUInt32LE(from + 20)]
    const old = from + headerBytes
    const end = old + oldSize + (size === truncation ? 0 : size)
    // A killed process may have written half of the last record, and nothing of the write it describes.
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
