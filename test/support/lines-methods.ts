import { type Connection, call, callForLines } from '../../packages/client/src/call.ts'
import type { Method } from '../../packages/client/src/methods.ts'
import type { RouteOf } from '../../packages/client/src/routes.ts'
import type { countLines, exchangeLines, listLines } from './lines-server.ts'

const exchanging: RouteOf<typeof exchangeLines> = {
  method: 'POST',
  path: '/admin/lines',
  auth: 'admin',
  takes: 'lines, query',
  gives: 'lines',
}
const counting: RouteOf<typeof countLines> = {
  method: 'POST',
  path: '/admin/lines/count',
  auth: 'admin',
  takes: 'lines',
}
const listing: RouteOf<typeof listLines> = { method: 'GET', path: '/admin/lines', auth: 'admin', gives: 'lines' }

/** The client methods of the fixture's operations. */
export interface LinesMethods {
  readonly exchange: Method<typeof exchangeLines>
  readonly count: Method<typeof countLines>
  readonly list: Method<typeof listLines>
}

export const linesMethods = (connection: Connection): LinesMethods => ({
  exchange: (...args) => callForLines(connection, exchanging, args) as never,
  count: (...args) => call(connection, counting, args) as never,
  list: (...args) => callForLines(connection, listing, args) as never,
})
