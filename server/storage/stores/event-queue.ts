import { commitmentOf } from '../../core/commitment.ts'
import type { EventQueueStore, QueuedEvent } from '../../events/event.ts'
import { columnsOf, type Definition, number, text } from '../columns.ts'
import type { Executor, Parameter } from '../database.ts'
import { type Statement, statement } from '../statement.ts'

/** The columns of an event, queued and sealed. */
export const recorded: Definition<QueuedEvent> = {
  id: text('id'),
  at: number('at'),
  type: text('type'),
  actorKind: text('actor_kind'),
  actorId: text('actor_id'),
  subjectKind: text('subject_kind'),
  subjectId: text('subject_id'),
  outcome: text('outcome'),
  requestId: text('request_id'),
  public: text('public'),
  personal: text('personal'),
  commitment: text('commitment'),
}

export const queuedEvents = columnsOf<QueuedEvent>('event_queue', recorded)

export const addEvent = statement('event.add', queuedEvents.tenantInsert)

/**
 * The event with its commitment. What was erased before it was sealed gets the commitment of its id, which no personal part
 * has.
 */
export const withCommitment = (event: QueuedEvent): QueuedEvent =>
  event.commitment === '' ? { ...event, commitment: commitmentOf(event.personal ?? event.id) } : event

/**
 * What to bind for an event that is queued. SQLite has one process, which adds the commitment when it seals the event:
 * hashing takes half of the time of making one. Elsewhere a process of the version before may seal it, during a rolling
 * restart, and expects the commitment.
 */
export const eventValues = ({ hasRowIds }: Pick<Executor, 'hasRowIds'>, event: QueuedEvent) =>
  queuedEvents.values(hasRowIds ? event : withCommitment(event))

/** Statements that `effectWithEvent` takes. */
const recordables = new Set<Statement>()

/** What `effectWithEvent` runs in one statement where the engine nests writes, by the statement without the event. */
const combined = new Map<Statement, Statement>()

/** Marks a statement that writes for the tenant $1 and returns nothing as one that `effectWithEvent` takes. */
export function recordable(plain: Statement): Statement {
  recordables.add(plain)
  return plain
}

/** Defines what `effectWithEvent` runs on engines that nest writes, for each recordable statement. */
export function combineWithEvents(combine: (plain: Statement) => Statement): void {
  for (const plain of recordables) combined.set(plain, combine(plain))
}

/**
 * Runs a `recordable` statement, and queues the event if it changed a row, in one transaction.
 * @returns whether it changed a row
 */
export async function effectWithEvent(
  executor: Executor,
  event: QueuedEvent | null,
  plain: Statement,
  ...parameters: [tenantId: string, ...others: Parameter[]]
): Promise<boolean> {
  if (event === null) return (await executor.effect(plain, ...parameters)).changes > 0
  const values = eventValues(executor, event)
  if (executor.nestsWrites) return (await executor.effect(combined.get(plain)!, ...parameters, ...values)).changes > 0
  // SQLite answers at once. Two awaits take as long as an eighth of the insert.
  return executor.write(async (sql) => {
    const changed = sql.run(plain, ...parameters)
    if ((typeof changed === 'number' ? changed : await changed) === 0) return false
    const added = sql.run(addEvent, parameters[0], ...values)
    if (typeof added !== 'number') await added
    return true
  })
}

/** The queue of one log in any SQL database. */
export class SqlEventQueueStore implements EventQueueStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  add(event: QueuedEvent): Promise<void> {
    return this.#executor.append(addEvent, this.#tenantId, ...eventValues(this.#executor, event))
  }
}
