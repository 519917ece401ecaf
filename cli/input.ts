import { open, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandFailure, type Terminal } from './terminal.ts'

/** The JSON object in a file; `-` is standard input. */
export async function readJson(path: string, terminal: Terminal): Promise<Record<string, unknown>> {
  const text = await readText(path, terminal)
  const source = path === '-' ? 'Standard input' : path
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new CommandFailure(`${source} is not JSON: ${(error as Error).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new CommandFailure(`${source} must hold a JSON object: { ... }`)
}

async function readText(path: string, terminal: Terminal): Promise<string> {
  if (path === '-') return terminal.readInput()
  try {
    return await readFile(resolve(terminal.folder, path), 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): CommandFailure {
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
  return new CommandFailure(
    missing ? `There is no file ${path}.` : `${path} cannot be read: ${(error as Error).message}`,
  )
}

/** What a file holds, piece by piece, however large it is; `-` is standard input. */
export async function openFile(path: string, terminal: Terminal): Promise<AsyncIterable<Uint8Array>> {
  if (path === '-') return terminal.openInput()
  try {
    return (await open(resolve(terminal.folder, path))).createReadStream()
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** A password from standard input: one line, without its line break. */
export async function readPassword(terminal: Terminal): Promise<string> {
  const password = (await terminal.readInput()).replace(/\r?\n$/, '')
  if (password === '')
    throw new CommandFailure('No password came on standard input: pipe one in, such as from a password tool.')
  if (/[\r\n]/.test(password)) throw new CommandFailure('The password on standard input has several lines: send one.')
  return password
}
