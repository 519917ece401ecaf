import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { endWhenInterrupted } from '../../server/core/end-when-interrupted.ts'
import { CommandFailure, type Terminal } from './terminal.ts'

/** Personal data: readable by the owner of the file only. */
const mode = 0o600

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder; name a file in it',
  ENOENT: 'its folder does not exist; create it, or choose another path',
}

/** A file that cannot be written, for example on a full disk. */
export function unwritable(path: string, error: unknown): CommandFailure {
  // As `--output "$FILE"` with an unset variable gives: the empty path is the current folder.
  if (path === '') return new CommandFailure('The name of the file is empty. Specify a file.')
  const { code = '', message } = error as NodeJS.ErrnoException
  return new CommandFailure(`Failed to write ${path}: ${reasons[code] ?? message}`)
}

/** A name for a file until it is complete, which another command that writes the same file does not use. */
export const partOf = (path: string): string => `${path}.${randomUUID()}.part`

/** Opens a file for writing, truncates it and restricts its permissions. Those of a device or a pipe stay as they are. */
export async function openPrivately(path: string, terminal: Terminal): Promise<FileHandle> {
  try {
    const file = await open(resolve(terminal.folder, path), 'w', mode)
    if ((await file.stat()).isFile()) await file.chmod(mode)
    return file
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** @throws CommandFailure if both paths are the same file, also through a link: writing one would delete the other */
export async function requireDifferentFiles(read: string, written: string, terminal: Terminal): Promise<void> {
  const [one, other] = await Promise.all(
    [read, written].map((path) => stat(resolve(terminal.folder, path), { bigint: true }).catch(() => null)),
  )
  if (!one || !other || one.dev !== other.dev || one.ino !== other.ino) return
  throw new CommandFailure(`${written} is the same file as ${read}, and would be overwritten. Choose another file.`)
}

/**
 * Writes a file atomically: the previous content stays until the new one is complete. A device or a pipe, such as
 * /dev/stdout, is written to and not replaced, and of a link the file that it names. The first text is asked for when the
 * file is open, because the server records an export when it begins. Ctrl-C leaves no part of a file.
 */
export async function writeWhole(path: string, texts: AsyncIterable<string>, terminal: Terminal): Promise<void> {
  const named = resolve(terminal.folder, path)
  const status = await stat(named).catch(() => null)
  if (status?.isDirectory()) throw unwritable(path, { code: 'EISDIR' })
  const isStream = status !== null && !status.isFile()
  const target = isStream ? named : await linkedFile(named)
  const part = partOf(target)
  try {
    if (isStream) return await pipeline(texts, (await open(target, 'w')).createWriteStream())
    endWhenInterrupted(terminal.untilInterrupted(), [part])
    await pipeline(texts, (await open(part, 'wx', mode)).createWriteStream({ flush: true }))
    await rename(part, target)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {}) // The original error is reported.
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : unwritable(path, error)
  }
}

/** The file that a path leads to through links, which may not exist yet. Where it cannot be found, opening the path fails. */
async function linkedFile(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const link = (error as NodeJS.ErrnoException).code === 'ENOENT' ? await readlink(path).catch(() => null) : null
    return link === null ? path : linkedFile(resolve(await realpath(dirname(path)), link))
  }
}
