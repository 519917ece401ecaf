import type { z } from 'zod'
import type { PageQuery } from '../../contract/envelope.ts'
import type { PageRequest } from '../tenants/tenant.ts'
import { isUlid } from './ids.ts'
import type { Refuse } from './service-error.ts'

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

/** Rows of a page, and where the next one continues: null when there are no more rows. */
interface Section<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
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
export function pageAfter<Row, Position, Item>(
  query: z.output<typeof PageQuery>,
  refuse: Refuse<'VALIDATION_ERROR'>,
  cursors: CursorFormat<Row, Position>,
  list: (request: { readonly limit: number; readonly after: Position | null }) => Promise<Row[]>,
  present: (row: Row) => Item,
): Promise<Page<Item>> {
  const readSection = async ({ limit, after }: { readonly limit: number; readonly after: Position | null }) => {
    const rows = await list({ limit: limit + 1, after })
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    return { rows: shown, next: last === undefined ? null : cursors.write(last) }
  }
  return pageFrom(query, refuse, cursors.read, readSection, present)
}

/** One page of a list whose sections name where the next one continues. They may be shorter than the page. */
export async function pageFrom<Row, Position, Item>(
  query: z.output<typeof PageQuery>,
  refuse: Refuse<'VALIDATION_ERROR'>,
  read: CursorFormat<Row, Position>['read'],
  list: (request: { readonly limit: number; readonly after: Position | null }) => Promise<Section<Row>>,
  present: (row: Row) => Item,
): Promise<Page<Item>> {
  const { limit = defaultLimit, cursor } = query
  if (limit > largestLimit) throw refuse('VALIDATION_ERROR', { validation: { limit: 'Validation rule not met' } })
  const after = cursor === undefined ? null : readCursor(cursor, read, refuse)
  const { rows, next } = await list({ limit, after })
  return { items: rows.map(present), nextCursor: next === null ? null : encode(next) }
}

function readCursor<Position>(
  cursor: string,
  read: (text: string) => Position | null,
  refuse: Refuse<'VALIDATION_ERROR'>,
): Position {
  const text = Buffer.from(cursor, 'base64url').toString()
  // Decoding is lenient; only the canonical spelling is accepted.
  const position = encode(text) === cursor ? read(text) : null
  if (position === null) throw refuse('VALIDATION_ERROR', { validation: { cursor: 'Validation rule not met' } })
  return position
}

const encode = (text: string): string => Buffer.from(text).toString('base64url')
