import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** A built file of the console, as it is answered. */
export interface ConsoleFile {
  readonly type: string
  readonly content: Buffer
  /** Compressed by the build; null where that makes nothing smaller. */
  readonly brotli: Buffer | null
  readonly etag: string
  /** The name contains a hash of the content. */
  readonly isImmutable: boolean
}

/** The files by path below `/console/`, such as `assets/index-Bvto23zQ.js`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/**
 * All files at once, so that page and scripts are of one build even if the console is built again meanwhile.
 * @returns null if the console is not built
 */
export async function readConsoleFiles(folder: string): Promise<ConsoleFiles | null> {
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!names?.includes('index.html')) return null
  const compressed = new Set(names.filter((name) => name.endsWith('.br')))
  // Names with a leading dot are the build's notes.
  const served = names.filter((name) => !name.startsWith('.') && typeOf(name) !== undefined)
  const read = served.map(async (name) => {
    const content = await readFile(join(folder, name))
    const brotli = compressed.has(`${name}.br`) ? await readFile(join(folder, `${name}.br`)) : null
    // Weak, because compressed and plain answers share it.
    const etag = `W/"${createHash('sha256').update(content).digest('base64url')}"`
    const path = name.replaceAll(sep, '/')
    const isImmutable = path.startsWith('assets/')
    return [path, { type: typeOf(name)!, content, brotli, etag, isImmutable }] as const
  })
  return new Map(await Promise.all(read))
}

const typeOf = (name: string): string | undefined => types[name.slice(name.lastIndexOf('.') + 1)]
