import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandFailure, type Terminal } from './terminal.ts'

/** Writes a text file, replacing an existing one. */
export async function writeText(path: string, text: string, terminal: Terminal): Promise<void> {
  try {
    await writeFile(resolve(terminal.folder, path), text)
  } catch (error) {
    throw new CommandFailure(`Failed to write ${path}: ${(error as Error).message}`)
  }
}
