import type { StartPageLink } from '../http/start-page.ts'
import type { Environment } from '../settings/config.ts'

const docs: StartPageLink = {
  path: 'docs',
  title: 'API documentation',
  text: 'Every operation with its inputs, outputs and error codes.',
}

/** As `routesIn` serves it. */
const inbox: StartPageLink = {
  path: 'docs#tag/testing-channel',
  title: 'Local development inbox',
  text: 'Messages and their codes, which this server stores instead of sending them. The operation needs the admin key.',
}

/** What the start page links, in its order: one line for each page that exists. */
export const startPageLinks = (environment: Environment): readonly StartPageLink[] => [
  docs,
  ...(environment === 'production' ? [] : [inbox]),
]
