import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The settings in `.env`. */
export interface EnvFile {
  readonly values: Readonly<Record<string, string | undefined>>
  /** Whether every user of this machine can read the file. */
  readonly isPublic: boolean
}

const start = String.raw`[ \t]*(?:export[ \t]+)?(?<name>[A-Za-z_]\w*)[ \t]*=[ \t]*`
const end = String.raw`[ \t]*(?:#[^\r\n]*)?\r?(?:\n|$)`
const empty = new RegExp(end, 'y')
const quoted = new RegExp(`${start}(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|\`(?<back>[^\`]*)\`)${end}`, 'y')
const plain = new RegExp(`${start}(?<value>[^"'\`\\s][^\\r\\n]*)?\r?(?:\n|$)`, 'y')

/**
 * Reads `.env` in a folder; null without the file.
 * @throws Error if the file cannot be read, or has a line that is not an assignment or a comment; its content is never quoted
 */
export function readEnvFile(folder: string): EnvFile | null {
  const path = join(folder, '.env')
  try {
    const { mode } = statSync(path)
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
    return { values: parseEnvFile(text), isPublic: process.platform !== 'win32' && (mode & 0o004) !== 0 }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new Error(
      code === undefined ? `.env: ${message}` : `.env: failed to read the file (${code}); check it, or remove it`,
    )
  }
}

/** Adds the settings of `.env` in a folder to an environment. Variables that are set win, also empty ones. */
export function applyEnvFile(env: NodeJS.ProcessEnv, folder: string): EnvFile | null {
  // Shells keep the carriage returns of a file with CRLF line ends; systemd, Docker and `.env` do not.
  for (const [name, value] of Object.entries(env)) if (value?.endsWith('\r')) env[name] = value.slice(0, -1)
  const file = readEnvFile(folder)
  for (const [name, value] of Object.entries(file?.values ?? {})) env[name] ??= value
  return file
}

/**
 * The settings in the text of `.env`. Not by `parseEnv` of Node, which after `NAME= ` takes the next line for the value, and
 * reads some comments as settings.
 * @throws Error with the first line that is not an assignment or a comment
 */
export function parseEnvFile(text: string): Record<string, string> {
  if (/[\0\uFFFD]/.test(text)) throw new Error('not UTF-8 text; save the file as UTF-8')
  const values: Record<string, string> = {}
  let at = 0
  const matches = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  while (at < text.length) {
    const entry = matches(empty) ?? matches(quoted) ?? matches(plain)
    const line = text.slice(0, at).split('\n').length
    if (entry === null) {
      throw new Error(`line ${line} is not NAME=value; correct it, close its quotes, or put # in front of it`)
    }
    const { name, value = '', double, single, back } = entry.groups ?? {}
    if (/^[^#]*[^\s#]#/.test(value)) {
      throw new Error(`line ${line} has a value with #, which begins a comment; put the value in quotes`)
    }
    if (name !== undefined) {
      const quotedValue = double?.replaceAll('\\n', '\n') ?? single ?? back
      values[name] = quotedValue?.replaceAll('\r', '') ?? value.replace(/#.*$/s, '').trimEnd()
    }
    at += entry[0].length
  }
  return values
}
