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

/** Opaque to clients, so that the order of a list can change. */
const cursorAfter = (id: string): string => Buffer.from(id).toString('base64url')

/**
 * One page of a list in id order. Requests one item more than the page holds from `list`, so that no count is needed to
 * know whether there is a next page. Refuses a limit over 200, and a cursor that no page returned.
 * @param isId whether a text has the form of the ids of the list
 */
export async function pageOf<Row extends { readonly id: string }, Item>(
  query: z.output<typeof PageQuery>,
  refuse: Refuse<'VALIDATION_ERROR'>,
  list: (request: PageRequest) => Promise<Row[]>,
  present: (row: Row) => Item,
  isId: (text: string) => boolean = isUlid,
): Promise<Page<Item>> {
  const { limit = defaultLimit } = query
  if (limit > largestLimit) throw refuse('VALIDATION_ERROR', { validation: { limit: 'Validation rule not met' } })
  const rows = await list({ limit: limit + 1, cursor: readCursor(query.cursor, refuse, isId) })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map(present), nextCursor: last === undefined ? null : cursorAfter(last.id) }
}

function readCursor(
  cursor: string | undefined,
  refuse: Refuse<'VALIDATION_ERROR'>,
  isId: (text: string) => boolean,
): string | null {
  if (cursor === undefined) return null
  const id = Buffer.from(cursor, 'base64url').toString()
  // Decoding is lenient; only the canonical spelling is accepted.
  if (!isId(id) || cursorAfter(id) !== cursor)
    throw refuse('VALIDATION_ERROR', { validation: { cursor: 'Validation rule not met' } })
  return id
}
