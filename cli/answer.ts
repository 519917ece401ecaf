import type { Command } from 'commander'
import type { TenantryClient } from '../packages/client/src/index.ts'
import { connect } from './connection.ts'
import type { Terminal } from './terminal.ts'

interface GlobalOptions {
  readonly url?: string
  readonly json?: true
}

/** Calls the server and prints the response: as JSON with --json, otherwise formatted by `readable`. */
export async function answer<T>(
  command: Command,
  terminal: Terminal,
  ask: (admin: TenantryClient) => Promise<T>,
  readable: (value: T) => string,
): Promise<void> {
  const { url, json } = command.optsWithGlobals<GlobalOptions>()
  const value = await ask(connect(url, terminal))
  terminal.write(json ? asJson(value ?? { success: true }) : `${readable(value).trimEnd()}\n`)
}

/** Indented JSON. */
export const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

/** All items of a list, fetched page by page. */
export async function allPages<T>(list: (query: { limit: string; cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = []
  let page: Page<T> | undefined
  do {
    page = await list({ limit: '200', ...(page?.nextCursor && { cursor: page.nextCursor }) })
    items.push(...page.items)
  } while (page.nextCursor !== null)
  return items
}
