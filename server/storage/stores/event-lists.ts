import { earliestUlid } from '../../core/ids.ts'
import type { EventFilter, EventSection, ListedEvents } from '../../events/log/event-log.ts'
import type { SealedEvent } from '../../events/sealed-log.ts'
import type { Row } from '../columns.ts'
import type { Executor, Parameter } from '../database.ts'
import { aboutAnother } from '../schema-steps.ts'
import { type Statement, statement } from '../statement.ts'
import { optional } from './filters.ts'
import { sealedEvents } from './sealed-log-columns.ts'

/**
 * A range of one index in the order of ids. `$2` and `$3` bound the id, `$4` is the limit or the offset, `$5` the value of
 * `column`. Compared as a row, because SQLite would read the range of ids of all users from the index on the id alone.
 */
const rangeOf = (column: string | null, condition: string) =>
  column === null
    ? { where: 'tenant_id = $1 AND id >= $2 AND id < $3', newestFirst: 'ORDER BY id DESC' }
    : {
        where: `tenant_id = $1 AND (${column}, id) >= ($5, $2) AND (${column}, id) < ($5, $3)${condition}`,
        newestFirst: `ORDER BY ${column} DESC, id DESC`,
      }
/**
 * Conditions that no index has: they are checked row by row. CASE hides how many rows meet them from PostgreSQL, which
 * would otherwise expect none in a plan for any parameters, and sort the range with parallel workers.
 */
const rowByRow = (first: number) =>
  `(CAST($${first} AS TEXT) IS NULL OR (type >= $${first} AND type < $${first + 1}))
     AND ${optional('outcome', first + 2)} AND ${optional('request_id', first + 3)}`

/** How a list is read: in the order of the index of its most selective filter. */
interface Access {
  /** Reads everything in the range. */
  readonly all: Statement<Row<SealedEvent>>
  readonly filtered: Statement<Row<SealedEvent>>
  /** The id that is so many events into the range. */
  readonly place: Statement<{ id: string }>
}

function accessBy(name: string, column: string | null, conditions: string, inIndex = ''): Access {
  const { where, newestFirst } = rangeOf(column, inIndex)
  const select = (condition: string) =>
    `SELECT ${sealedEvents.columns} FROM events WHERE ${where}${condition} ${newestFirst} LIMIT $4`
  return {
    all: statement(`eventLog.list${name}`, select(''), sealedEvents),
    filtered: statement(
      `eventLog.list${name}Filtered`,
      select(` AND CASE WHEN ${conditions} THEN 1 ELSE 0 END <> 0`),
      sealedEvents,
    ),
    place: statement(`eventLog.place${name}`, `SELECT id FROM events WHERE ${where} ${newestFirst} LIMIT 1 OFFSET $4`),
  }
}

const byTime = accessBy('', null, rowByRow(5))
// Hides the actor from the planner, which would otherwise read all events of that actor.
const bySubject = accessBy(
  'OfSubject',
  'subject_id',
  `${rowByRow(6)} AND ${optional('subject_kind', 10)} AND ${optional("COALESCE(actor_id, '')", 11)}`,
)
const byActor = accessBy(
  'OfActor',
  'actor_id',
  `${rowByRow(6)} AND ${optional('actor_kind', 10)}`,
  ` AND ${aboutAnother}`,
)

/** Events that one statement examines at most, so that a filter that few meet does not keep SQLite from other work. */
const window = 500
/** Events that one section examines at most. */
const mostExamined = 20_000
/** Sorts after every id. */
const behind = '~'

/** The lists of one sealed log, newest first, in any SQL database. */
export class SqlEventLists {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  async list(filter: EventFilter, section: EventSection): Promise<ListedEvents> {
    const { actorId, subjectId } = filter
    if (subjectId !== undefined) return this.#list(bySubject, [subjectId], filter, section)
    if (actorId === undefined) return this.#list(byTime, [], filter, section)
    const aboutThemselves = this.#list(bySubject, [actorId], filter, section)
    const aboutOthers = this.#list(byActor, [actorId], filter, section)
    return merge(await Promise.all([aboutThemselves, aboutOthers]), section.limit)
  }

  async #list(
    access: Access,
    key: readonly string[],
    filter: EventFilter,
    { limit, before }: EventSection,
    kind: 'user' | null = null,
  ): Promise<ListedEvents> {
    const [from, to] = boundsOf(filter, before)
    const conditions = [...typeRange(filter.type), filter.outcome ?? null, filter.requestId ?? null]
    if (access !== byTime) conditions.push(kind)
    if (access === bySubject) conditions.push(filter.actorId ?? null)
    const isFiltered = conditions.some((value) => value !== null)
    if (!isFiltered) return cut(await this.#rows(access.all, from, to, limit + 1, ...key), limit)
    const rows: SealedEvent[] = []
    let end = to
    for (let examined = 0; examined < mostExamined; examined += window) {
      const start = await this.#place(access, from, end, key)
      const wanted = limit + 1 - rows.length
      rows.push(...(await this.#rows(access.filtered, start ?? from, end, wanted, ...key, ...conditions)))
      if (start === null || rows.length > limit) return cut(rows, limit)
      end = start
      if (rows.length === limit) break
    }
    return { rows, next: end }
  }

  /** An import may give a user the id of a tenant, a key or an operator, so the kind is compared, too. */
  async listAbout(userId: string, { since, ...section }: EventSection & Pick<EventFilter, 'since'>) {
    const filter = { since }
    const ranges = [bySubject, byActor].map((access) => this.#list(access, [userId], filter, section, 'user'))
    return merge(await Promise.all(ranges), section.limit)
  }

  /** The oldest of the newest `window` events of a range; null when it has fewer. */
  #place(access: Access, from: string, to: string, key: readonly string[]): Promise<string | null> {
    return this.#executor.read(
      async (sql) => (await sql.row(access.place, this.#tenantId, from, to, window - 1, ...key))?.id ?? null,
    )
  }

  #rows(from: Statement<Row<SealedEvent>>, ...parameters: Parameter[]): Promise<SealedEvent[]> {
    return this.#executor.read(async (sql) => sealedEvents.readAll(await sql.rows(from, this.#tenantId, ...parameters)))
  }
}

/** The section, and where the next one continues if there are more rows than it holds. */
function cut(rows: SealedEvent[], limit: number): ListedEvents {
  const shown = rows.slice(0, limit)
  return { rows: shown, next: rows.length > limit ? shown.at(-1)!.id : null }
}

/**
 * One section of ranges that have no event in common. It ends where the first of them does: older events of the others are
 * listed after those that follow there.
 */
function merge(sections: readonly ListedEvents[], limit: number): ListedEvents {
  const next = sections.map((section) => section.next ?? '').reduce((one, other) => (one > other ? one : other))
  const rows = sections.flatMap((section) => section.rows.filter(({ id }) => id >= next))
  rows.sort((one, other) => (one.id < other.id ? 1 : -1))
  return rows.length > limit ? cut(rows, limit) : { rows, next: next === '' ? null : next }
}

/** Ids begin with their time, so that times are bounds of ids. */
function boundsOf({ since, until }: Pick<EventFilter, 'since' | 'until'>, before: string | null): [string, string] {
  const to = until === undefined ? behind : earliestUlid(until)
  return [since === undefined ? '' : earliestUlid(since), before !== null && before < to ? before : to]
}

/** No type lies between a text and its successor, nor between `session.` and `session/`. */
function typeRange(type: string | undefined): [from: string | null, to: string | null] {
  if (type === undefined) return [null, null]
  if (!type.endsWith('.*')) return [type, `${type}\u0001`]
  const prefix = type.slice(0, -1)
  return [prefix, `${prefix.slice(0, -1)}/`]
}
