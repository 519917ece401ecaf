import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { PageQuery } from '../../../contract/envelope.ts'
import { type CursorFormat, type Page, pageFrom } from '../../core/pages.ts'
import type { Refuse } from '../../core/service-error.ts'

/** Rows that a list read in its order, and the position where it stopped if there may be more. */
interface ReadSection<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
}

/** A list that is read in sections. */
export interface Listing<Row> {
  read(request: { readonly limit: number; readonly after: string | null }): Promise<ReadSection<Row>>
  positionOf(row: Row): string
  isPosition(text: string): boolean
  /** Present if its positions mean nothing in the results of another search: they are bound to this one. */
  readonly search?: object
}

/** Bounds the time of a page when few rows match. */
const mostSections = 4

/** One page of the rows that match. With few matches among the rows it reads, it is short and has a next page. */
export function pageOfMatching<Row, Item>(
  query: z.output<typeof PageQuery>,
  refuse: Refuse<'VALIDATION_ERROR'>,
  listing: Listing<Row>,
  matches: (row: Row) => boolean,
  present: (row: Row) => Item,
): Promise<Page<Item>> {
  const cursors = cursorsOf(listing)
  const read = async ({ limit, after }: { readonly limit: number; readonly after: string | null }) => {
    const rows: Row[] = []
    let next = after
    for (let section = 0; section < mostSections; section++) {
      const found = await listing.read({ limit: limit + 1, after: next })
      rows.push(...found.rows.filter(matches))
      if (rows.length > limit)
        return { rows: rows.slice(0, limit), next: cursors.write(listing.positionOf(rows[limit - 1]!)) }
      next = found.next
      if (next === null) return { rows, next }
    }
    return { rows, next: next === null ? null : cursors.write(next) }
  }
  return pageFrom(query, refuse, cursors.read, read, present)
}

const digestLength = 16

/** Cursors of a search begin with its digest. */
function cursorsOf<Row>({ search, isPosition }: Listing<Row>): CursorFormat<string, string> {
  const digest =
    search === undefined
      ? ''
      : createHash('sha256').update(JSON.stringify(search)).digest('base64url').slice(0, digestLength)
  return {
    write: (position) => digest + position,
    read(text) {
      const position = text.slice(digest.length)
      return text.startsWith(digest) && isPosition(position) ? position : null
    },
  }
}
