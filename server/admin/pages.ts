import type { z } from 'zod'
import type { PageQuery } from '../../contract/envelope.ts'
import { isUlid } from '../core/ids.ts'
import type { Refuse } from '../core/service-error.ts'
import type { PageRequest } from '../tenants/tenant.ts'

const defaultLimit = 50
const largestLimit = 200

/** A page as in the API; `nextCursor` is null on the last one. */
export interface Page<T> {
  items: T[]
  nextCursor: string | null
}

/** What a cursor contains: the position of the last row of a page. Opaque to clients, so that the order can change. */
export interface CursorFormat<Row, Position> {
  write(row: Row): string
  /** null when no page of this list has returned it. */
  read(text: string): Position | null
}

/**
 * One page of a list in id order.
 * @param isId whether a text has the form of the ids of the list
 */
export function pageOf<Row extends { readonly id: string }, Item>(
  query: z.output<typeof PageQuery>,
  refuse: Refuse<'VALIDATION_ERROR'>,
  list: (request: PageRequest) => Promise<Row[]>,
  present: (row: Row) => Item,
  isId: (text: string) => boolean = isUlid,
): Promise<Page<Item>> {
  const cursors: CursorFormat<Row, string> = { write: ({ id }) => id, read: (text) => (isId(text) ? text : null) }
  return pageAfter(query, refuse, cursors, ({ limit, after }) => list({ limit, cursor: after }), present)
}

/**
 * One page of a list in any order. Requests one item more than the page holds from `list`, so that no count is needed to
 * know whether there is a next page. Refuses a limit over 200, and a cursor that no page returned.
 */
export async function pageAfter<Row, Position, Item>(
  query: z.output<typeof PageQuery>,
  refuse: Refuse<'VALIDATION_ERROR'>,
  cursors: CursorFormat<Row, Position>,
  list: (request: { readonly limit: number; readonly after: Position | null }) => Promise<Row[]>,
  present: (row: Row) => Item,
): Promise<Page<Item>> {
  const { limit = defaultLimit, cursor } = query
  if (limit > largestLimit) throw refuse('VALIDATION_ERROR', { validation: { limit: 'Validation rule not met' } })
  const after = cursor === undefined ? null : readCursor(cursor, cursors, refuse)
  const rows = await list({ limit: limit + 1, after })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map(present), nextCursor: last === undefined ? null : encode(cursors.write(last)) }
}

function readCursor<Row, Position>(
  cursor: string,
  cursors: CursorFormat<Row, Position>,
  refuse: Refuse<'VALIDATION_ERROR'>,
): Position {
  const text = Buffer.from(cursor, 'base64url').toString()
  // Decoding is lenient; only the canonical spelling is accepted.
  const position = encode(text) === cursor ? cursors.read(text) : null
  if (position === null) throw refuse('VALIDATION_ERROR', { validation: { cursor: 'Validation rule not met' } })
  return position
}

const encode = (text: string): string => Buffer.from(text).toString('base64url')
