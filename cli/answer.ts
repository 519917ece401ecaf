import type { Command } from 'commander'
import type { TenantryAdmin } from '../packages/client/src/admin.ts'
import { type ConnectOptions, connect } from './connection.ts'
import { globalOptions } from './global-options.ts'
import { findTenantId, tenantNamed } from './tenant-argument.ts'
import type { Terminal } from './terminal/terminal.ts'

interface AnswerOptions<T> extends ConnectOptions {
  /**
   * Called after the response is printed.
   * @throws CommandFailure if the response says that the command has failed
   */
  readonly require?: (value: T) => void
}

/** Calls the server and prints the response: as JSON with --json, otherwise formatted by `readable`. */
export async function answer<T>(
  command: Command,
  terminal: Terminal,
  ask: (admin: TenantryAdmin) => Promise<T>,
  readable: (value: T) => string,
  options: AnswerOptions<T> = {},
): Promise<void> {
  const { url, json } = globalOptions(command)
  const value = await ask(connect(url, terminal, options))
  terminal.write(json ? asJson(value ?? { success: true }) : `${readable(value).trimEnd()}\n`)
  options.require?.(value)
}

/** As `answer`, for one tenant, by name or id; `TENANTRY_TENANT` when none is typed. */
export async function answerOf<T>(
  tenant: string | undefined,
  command: Command,
  terminal: Terminal,
  ask: (admin: TenantryAdmin, tenantId: string) => Promise<T>,
  readable: (value: T) => string,
  options: AnswerOptions<T> = {},
): Promise<void> {
  const named = tenantNamed(tenant, command, terminal)
  await answer(command, terminal, async (admin) => ask(admin, await findTenantId(named, admin)), readable, options)
}

/** Indented JSON. */
export const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
