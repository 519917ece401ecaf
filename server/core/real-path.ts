import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * The file that a path leads to through links. Neither the file nor what the last link names needs to exist.
 * @throws Error if the folder does not exist, or links form a loop
 */
export function realPath(path: string): string {
  // Unlike existsSync, throws if links form a loop.
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return realpathSync(path)
  const file = join(realpathSync(dirname(path)), basename(path))
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file
  const named = resolve(dirname(file), readlinkSync(file))
  if (existsSync(dirname(named))) return realPath(named)
  throw new Error(`${path} is a link to ${named}, whose folder does not exist; mount its disk, or correct the link`)
}
