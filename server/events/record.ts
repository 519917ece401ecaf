import { hash } from 'node:crypto'
import { eventKinds } from '../../contract/events.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import type { AdminCall, MaybeUserCall, TenantCall } from '../core/handler.ts'
import { pooledBytes, ulid } from '../core/ids.ts'
import { networkOf } from '../limits/client-address.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import type { Actor, EventQueueStore, Fact, PersonalPart, PublicPart, QueuedEvent } from './event.ts'
import { noteRecorded } from './recorded.ts'
import { describeUserAgent } from './user-agent.ts'

/** What acts: a call, or background work for a tenant, or for the deployment (null). */
export type EventSource =
  | (Pick<TenantCall, 'now' | 'requestId' | 'key' | 'snapshot' | 'address' | 'userAgent'> &
      Partial<Pick<MaybeUserCall, 'user' | 'session'>>)
  | (Pick<AdminCall, 'now' | 'requestId' | 'address' | 'userAgent'> & {
      /** null: a wrong key. */
      readonly operator: AdminCall['operator'] | null
    })
  | { readonly now: number; readonly background: TenantSnapshot | null }

/** Records an act in the transaction of its effect; nothing when the tenant does not record acts of this type. */
export async function record(tx: { readonly events: EventQueueStore }, source: EventSource, fact: Fact): Promise<void> {
  const event = eventOf(source, fact)
  if (event !== null) await tx.events.add(event)
}

/** The event for a store that writes it together with its effect; null when it is not recorded. */
export function eventOf(source: EventSource, fact: Fact): QueuedEvent | null {
  if (!isRecorded(source, fact)) return null
  noteRecorded()
  const { now } = source
  const actor = fact.actor ?? actorOf(source)
  const personal = personalPart(source, fact)
  return {
    id: ulid(now),
    at: now,
    type: fact.type,
    actorKind: actor.kind,
    actorId: actor.id,
    subjectKind: fact.subject.kind,
    subjectId: fact.subject.id,
    outcome: fact.refused === undefined ? 'done' : 'refused',
    requestId: 'requestId' in source ? source.requestId : null,
    public: publicPart(fact, actor),
    // The event outlives the person, so it has nothing to erase later.
    personal: fact.type === 'user.deleted' ? null : personal,
    commitment: hash('sha256', personal, 'base64url'),
  }
}

/** What operators do, and what is done for the deployment, is always recorded. */
function isRecorded(source: EventSource, { type }: Fact): boolean {
  if ('operator' in source) return true
  const snapshot = 'background' in source ? source.background : source.snapshot
  if (snapshot === null) return true
  const { detail } = snapshot.configuration.events
  return detail === 'all' || (detail === 'security' && eventKinds[type].detail === 'security')
}

function actorOf(source: EventSource): Actor {
  if ('background' in source) return { kind: 'system', id: null }
  if ('operator' in source) {
    return source.operator === null ? { kind: 'anonymous', id: null } : { kind: 'operator', id: source.operator.id }
  }
  const { user, session, key } = source
  if (!user) return { kind: 'tenantKey', id: key.id }
  return { kind: 'user', id: user.id, ...(session && { session: session.id }) }
}

const emptyPublicPart = '{}'

/** Its members are named in order, so that only those of `details` need sorting. */
function publicPart({ refused, details, changes }: Fact, { session }: Actor): string {
  if (refused === undefined && details === undefined && changes === undefined && session === undefined)
    return emptyPublicPart
  const part: PublicPart = {
    ...(changes !== undefined && { changed: Object.keys(changes).sort() }),
    ...(refused !== undefined && { code: refused }),
    ...(details !== undefined && { details: inOrder(details) }),
    ...(session !== undefined && { session }),
  }
  return Object.values(details ?? {}).some(isStructure) ? canonicalJson(part) : JSON.stringify(part)
}

const isStructure = (value: unknown): boolean => typeof value === 'object' && value !== null

/** The members in the order of their names: most events have a few, and sorting these takes less than `canonicalJson`. */
function inOrder(details: NonNullable<Fact['details']>): NonNullable<Fact['details']> {
  const ordered: Record<string, unknown> = {}
  for (const name of Object.keys(details).sort()) ordered[name] = details[name]
  return ordered
}

/** Its members are named in order, so that only `changes` needs sorting. */
function personalPart(source: EventSource, { changes }: Fact): string {
  const shown = changes && Object.values(changes).some((change) => Object.keys(change).length > 0)
  const userAgent = 'userAgent' in source ? describeUserAgent(source.userAgent) : null
  const part: PersonalPart = {
    ...(shown && { changes }),
    ...('address' in source && { network: networkOf(source.address) }),
    salt: pooledBytes(16).toString('base64url'),
    ...(userAgent !== null && { userAgent }),
  }
  return shown ? canonicalJson(part) : JSON.stringify(part)
}
