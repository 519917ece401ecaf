import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandFailure, type Terminal } from './terminal.ts'

/** Writes a text to a file, over what was there. */
export async function writeText(path: string, text: string, terminal: Terminal): Promise<void> {
  try {
    await writeFile(resolve(terminal.folder, path), text)
  } catch (error) {
    throw new CommandFailure(`${path} cannot be written: ${(error as Error).message}`)
  }
}
