import { createWriteStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CommandFailure, type Terminal } from './terminal.ts'

/** What tells of people is its owner's to read and nobody else's. */
const mode = 0o600

const unwritable = (path: string, error: unknown) =>
  new CommandFailure(`${path} cannot be written: ${(error as Error).message}`)

/** Opens a file to be written from its beginning, whatever it held and whoever could read it. */
export async function openPrivately(path: string, terminal: Terminal): Promise<FileHandle> {
  try {
    const file = await open(resolve(terminal.folder, path), 'w', mode)
    await file.chmod(mode)
    return file
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Writes a file that is there whole or not at all: what it held before stays until then. */
export async function writeWhole(path: string, texts: AsyncIterable<string>, terminal: Terminal): Promise<void> {
  const target = resolve(terminal.folder, path)
  const part = `${target}.part`
  try {
    await rm(part, { force: true })
    await pipeline(texts, createWriteStream(part, { mode, flags: 'wx', flush: true }))
    await rename(part, target)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {}) // What went wrong is said already.
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : unwritable(path, error)
  }
}
