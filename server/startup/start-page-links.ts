import type { StartPageLink } from '../http/start-page.ts'
import type { Environment } from '../settings/config.ts'

const operatorConsole: StartPageLink = {
  path: 'console/',
  title: 'Console',
  text: 'Tenants, users, profile schemas, messages and keys. Operators sign in with their key.',
}

const docs: StartPageLink = {
  path: 'docs',
  title: 'API documentation',
  text: 'Every operation with its inputs, outputs and error codes.',
}

/** As `routesIn` serves it. */
const inbox: StartPageLink = {
  path: 'console/code-inbox',
  title: 'Local development inbox',
  text: 'Messages and their codes, which this server stores instead of sending them.',
}

/**
 * What a start page links, in its order: one line for each page that its listener serves.
 * @param of who may reach the listener; with a separate one for operators, the other does not mention the console
 */
export const startPageLinks = (
  environment: Environment,
  of: 'everyone' | 'clients' | 'operators',
): readonly StartPageLink[] => [
  ...(of === 'clients' ? [] : [operatorConsole]),
  ...(of === 'operators' ? [] : [docs]),
  ...(of === 'clients' || environment === 'production' ? [] : [inbox]),
]
