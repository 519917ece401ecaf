import type { z } from 'zod'
import { type Connection, call } from '../../../packages/client/src/call.ts'
import { exchangeLines as callForLines, linesBody } from '../../../packages/client/src/lines.ts'
import type { Lines } from '../../../packages/client/src/lines-source.ts'
import type { CallOptions } from '../../../packages/client/src/methods.ts'
import type { Route } from '../../../packages/client/src/route.ts'
import type { countLines, exchangeLines, listLines } from './lines-server.ts'

const exchanging: Route = {
  method: 'POST',
  path: '/admin/lines',
  auth: 'admin',
  takes: 'lines, query',
  gives: 'lines',
}
const counting: Route = { method: 'POST', path: '/admin/lines/count', auth: 'admin', takes: 'lines' }
const listing: Route = { method: 'GET', path: '/admin/lines', auth: 'admin', gives: 'lines' }

type Answer<O extends { readonly output: z.ZodType }> = z.output<O['output']>

/** The client methods of the fixture's operations. */
export interface LinesMethods {
  exchange(lines: Lines, query?: { every?: string }, options?: CallOptions): AsyncIterable<Answer<typeof exchangeLines>>
  count(lines: Lines, options?: CallOptions): Promise<Answer<typeof countLines>>
  list(options?: CallOptions): AsyncIterable<Answer<typeof listLines>>
}

export function linesMethods(settings: Connection): LinesMethods {
  const connection = { ...settings, linesBody }
  return {
    exchange: (...args) => callForLines(connection, exchanging, args) as never,
    count: (...args) => call(connection, counting, args) as never,
    list: (...args) => callForLines(connection, listing, args) as never,
  }
}
