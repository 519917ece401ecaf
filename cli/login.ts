import type { Command } from 'commander'
import { createTenantryAdmin, type TenantryAdmin, TenantryError } from '../packages/client/src/admin.ts'
import { asJson } from './answer.ts'
import { baseUrlOf, requireHeaderText } from './connection.ts'
import { globalOptions } from './global-options.ts'
import { forgetLogin, keepLogin } from './kept-logins.ts'
import { readSecret } from './terminal/input.ts'
import { list, shown } from './terminal/layout.ts'
import { CommandFailure, type Terminal } from './terminal/terminal.ts'

type CurrentOperator = Awaited<ReturnType<TenantryAdmin['getCurrentOperator']>>['operator']
const notes = `
The key is read from a prompt, or from standard input when that is not a terminal. It is not an argument, because shells
keep arguments in their history. It is checked with the server and kept for this server alone, readable by you only.

Examples:
  tenantry login
  pass show tenantry | tenantry login --url https://console.example.com`

/** `tenantry login` and `tenantry logout` */
export function addLoginCommands(program: Command, terminal: Terminal): void {
  program
    .command('login')
    .description('keep your key for a server, so that later commands use it')
    .addHelpText('after', notes)
    .action(async (_options, command: Command) => {
      const { url, json } = globalOptions(command)
      const baseUrl = baseUrlOf(url, terminal)
      const key = await readKey(baseUrl, terminal)
      const operator = await operatorOf(key, baseUrl)
      const file = keepLogin(baseUrl, key, terminal)
      terminal.write(json ? asJson({ operator, file }) : describeLogin(operator, baseUrl, file))
      warnOfVariable(terminal)
    })

  program
    .command('logout')
    .description('delete the key that login kept for a server')
    .action((_options, command: Command) => {
      const { url, json } = globalOptions(command)
      const baseUrl = baseUrlOf(url, terminal)
      const forgotten = forgetLogin(baseUrl, terminal)
      const told = forgotten ? `Deleted the key for ${baseUrl}. It still works; revoke it with` : 'No key is kept for'
      const advice = forgotten ? ' "tenantry operator revoke" if it leaked.' : ` ${baseUrl}.`
      terminal.write(json ? asJson({ forgotten }) : `${told}${advice}\n`)
    })
}

async function operatorOf(key: string, baseUrl: string): Promise<CurrentOperator> {
  try {
    return (await createTenantryAdmin({ baseUrl, adminKey: key }).getCurrentOperator()).operator
  } catch (error) {
    if (!(error instanceof TenantryError && error.code === 'INVALID_ADMIN_KEY')) throw error
    throw new CommandFailure(
      `${baseUrl} refused this key: it is malformed, unknown, expired or revoked. Nothing was kept.\n(${error.code}, ${error.status})`,
    )
  }
}

async function readKey(baseUrl: string, terminal: Terminal): Promise<string> {
  const key = (await readSecret(`Key for ${baseUrl}: `, terminal)).trim()
  if (key === '') throw new CommandFailure('No key was given. Enter it at the prompt, or pipe it in.')
  requireHeaderText(key)
  return key
}

function warnOfVariable({ env, warn }: Terminal): void {
  if (env['TENANTRY_OPERATOR_KEY']) warn('TENANTRY_OPERATOR_KEY is set, and commands use it instead of this login.\n')
}

const describeLogin = (operator: CurrentOperator, baseUrl: string, file: string): string =>
  `${describeCurrent(operator)}\n\nCommands for ${baseUrl} now use this key. It is kept in ${file}.\n`

/** Who a key belongs to. */
export const describeCurrent = ({ id, name, scopes, tenantIds, expiresAt }: CurrentOperator): string =>
  list([
    ['id', id],
    ['name', shown(name)],
    ['scopes', scopes],
    ['tenants', tenantIds ?? 'all'],
    ['expires', expiresAt ?? 'never'],
  ])
