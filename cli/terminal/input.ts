import { open, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { CommandFailure, type Terminal } from './terminal.ts'

/** Reads a JSON object from a file; `-` is standard input. */
export async function readJson(path: string, terminal: Terminal): Promise<Record<string, unknown>> {
  const text = await readText(path, terminal)
  const source = path === '-' ? 'Standard input' : path
  let value: unknown
  try {
    value = JSON.parse(text, refuseInfinite)
  } catch (error) {
    throw new CommandFailure(`${source} is not valid JSON: ${(error as Error).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new CommandFailure(`${source} must contain a JSON object: { ... }`)
}

/** 1e400 would be sent as null, which removes a value. */
function refuseInfinite(name: string, value: unknown): unknown {
  if (value === Infinity || value === -Infinity) throw new Error(`the number of "${name}" is too large`)
  return value
}

/** Reads a text file; `-` is standard input. Leaves out the byte order mark that editors on Windows begin files with. */
export async function readText(path: string, terminal: Terminal): Promise<string> {
  const bytes =
    path === '-' ? await buffer(terminal.openInput()) : await readFile(resolve(terminal.folder, path)).catch(refuse)
  function refuse(error: unknown): never {
    throw unreadable(path, error)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const source = path === '-' ? 'Standard input' : path
    throw new CommandFailure(
      `${source} is not UTF-8 text. Save it as UTF-8; the > of Windows PowerShell writes UTF-16.`,
    )
  }
}

function unreadable(path: string, error: unknown): CommandFailure {
  if (path === '') return new CommandFailure('The name of the file is empty. Specify a file, or - for standard input.')
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new CommandFailure(`File ${path} not found.`)
  return new CommandFailure(`Failed to read ${path}: ${code === 'EISDIR' ? 'it is a folder' : message}`)
}

/** A file or standard input as a stream of bytes. */
interface OpenedFile {
  readonly chunks: AsyncIterable<Uint8Array>
  /** 0 if unknown, as with standard input. */
  readonly bytes: number
}

/** Streams a file; `-` is standard input. */
export async function openFile(path: string, terminal: Terminal): Promise<OpenedFile> {
  if (path === '-') return { chunks: terminal.openInput(), bytes: 0 }
  try {
    const file = await open(resolve(terminal.folder, path))
    const status = await file.stat()
    if (!status.isDirectory()) return { chunks: file.createReadStream(), bytes: status.size }
    await file.close()
    throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** Reads a secret: typed without echo at a terminal, else all of standard input. */
export const readSecret = async (prompt: string, terminal: Terminal): Promise<string> =>
  (await terminal.readSecret(prompt)) ?? readText('-', terminal)

/** Reads a password: one line without its line break. */
export async function readPassword(terminal: Terminal): Promise<string> {
  const password = (await readSecret('Password: ', terminal)).replace(/\r?\n$/, '')
  if (password === '')
    throw new CommandFailure('Standard input has no password. Pipe it in, for example from a password manager.')
  if (/[\r\n]/.test(password))
    throw new CommandFailure('The password on standard input has several lines. Send a single line.')
  return password
}
