import { open, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandFailure, type Terminal } from './terminal.ts'

/** Reads a JSON object from a file; `-` is standard input. */
export async function readJson(path: string, terminal: Terminal): Promise<Record<string, unknown>> {
  const text = await readText(path, terminal)
  const source = path === '-' ? 'Standard input' : path
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new CommandFailure(`${source} is not valid JSON: ${(error as Error).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new CommandFailure(`${source} must contain a JSON object: { ... }`)
}

/** Reads a text file; `-` is standard input. */
export async function readText(path: string, terminal: Terminal): Promise<string> {
  if (path === '-') return terminal.readInput()
  try {
    return await readFile(resolve(terminal.folder, path), 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): CommandFailure {
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
  return new CommandFailure(missing ? `File ${path} not found.` : `Failed to read ${path}: ${(error as Error).message}`)
}

/** A file or standard input as a stream of bytes. */
export interface OpenedFile {
  readonly chunks: AsyncIterable<Uint8Array>
  /** 0 if unknown, as with standard input. */
  readonly bytes: number
}

/** Streams a file; `-` is standard input. */
export async function openFile(path: string, terminal: Terminal): Promise<OpenedFile> {
  if (path === '-') return { chunks: terminal.openInput(), bytes: 0 }
  try {
    const file = await open(resolve(terminal.folder, path))
    return { chunks: file.createReadStream(), bytes: (await file.stat()).size }
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** Reads a password from standard input: one line, without the line break. */
export async function readPassword(terminal: Terminal): Promise<string> {
  const password = (await terminal.readInput()).replace(/\r?\n$/, '')
  if (password === '')
    throw new CommandFailure('Standard input has no password. Pipe it in, for example from a password manager.')
  if (/[\r\n]/.test(password))
    throw new CommandFailure('The password on standard input has several lines. Send a single line.')
  return password
}
