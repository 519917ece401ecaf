import type { z } from 'zod'
import type { Connection } from '../../../packages/client/src/call.ts'
import type { CallOptions } from '../../../packages/client/src/call-options.ts'
import { exchangeLines as callForLines } from '../../../packages/client/src/lines.ts'
import type { Lines } from '../../../packages/client/src/lines-source.ts'
import type { Route } from '../../../packages/client/src/route.ts'
import type { exchangeLines, listLines } from './lines-server.ts'

const exchanging: Route = {
  method: 'POST',
  path: '/admin/lines',
  auth: 'admin',
  takes: 'lines, query',
  gives: 'lines',
}
const listing: Route = { method: 'GET', path: '/admin/lines', auth: 'admin', gives: 'lines' }

type Answer<O extends { readonly output: z.ZodType }> = z.output<O['output']>

/** The client methods of the fixture's operations. */
export interface LinesMethods {
  exchange(lines: Lines, query?: { every?: string }, options?: CallOptions): AsyncIterable<Answer<typeof exchangeLines>>
  list(options?: CallOptions): AsyncIterable<Answer<typeof listLines>>
}

export const linesMethods = (connection: Connection): LinesMethods => ({
  exchange: (...args) => callForLines(connection, exchanging, args) as never,
  list: (...args) => callForLines(connection, listing, args) as never,
})
