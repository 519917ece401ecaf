import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { unwritable } from './private-file.ts'
import type { Terminal } from './terminal.ts'

/** Writes a text file, replacing an existing one. */
export async function writeText(path: string, text: string, terminal: Terminal): Promise<void> {
  try {
    await writeFile(resolve(terminal.folder, path), text)
  } catch (error) {
    throw unwritable(path, error)
  }
}
