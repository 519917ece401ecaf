import { eventKinds } from '../../contract/events.ts'
import type { AdminCall, MaybeUserCall, TenantCall } from '../core/call.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import { randomToken, ulid } from '../core/ids.ts'
import { networkOf } from '../limits/address.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import type { Actor, EventQueueStore, Fact, QueuedEvent } from './event.ts'
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
    commitment: '',
  }
}

/** What operators do, also in the background, and what is done for the deployment, is always recorded. */
function isRecorded(source: EventSource, { type, actor }: Fact): boolean {
  if ('operator' in source || actor?.kind === 'operator') return true
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

/** Members are added in the order of their names, as canonical JSON has them: making an object first takes longer. */
function publicPart({ refused, details, changes }: Fact, { session }: Actor): string {
  let members = ''
  if (changes !== undefined) members += `,"changed":${JSON.stringify(sortedNames(changes))}`
  if (refused !== undefined) members += `,"code":"${refused}"`
  if (details !== undefined) members += `,"details":${detailsText(details)}`
  if (session !== undefined) members += `,"session":"${session}"`
  return `{${members.slice(1)}}`
}

/** An insertion sort: `Array.prototype.sort` allocates 800 bytes for the few names of an event, a quarter of all that it takes. */
function sortedNames(members: object): string[] {
  const names = Object.keys(members)
  for (let end = 1; end < names.length; end++) {
    const name = names[end]!
    let at = end
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!
    names[at] = name
  }
  return names
}

/** Most events have a few details without structure, and sorting these takes less than `canonicalJson`. */
function detailsText(details: NonNullable<Fact['details']>): string {
  const ordered: Record<string, unknown> = {}
  for (const name of sortedNames(details)) {
    const value = details[name]
    if (typeof value === 'object' && value !== null) return canonicalJson(details)
    ordered[name] = value
  }
  return JSON.stringify(ordered)
}

/** As `publicPart`, with a member at least: the salt. */
function personalPart(source: EventSource, { changes }: Fact): string {
  const shown = changes !== undefined && hasValues(changes)
  const userAgent = 'userAgent' in source ? describeUserAgent(source.userAgent) : null
  let members = ''
  if (shown) members += `"changes":${canonicalJson(changes)},`
  // Refusals of many addresses are counted in one event without any.
  if ('address' in source && source.address !== '') members += `"network":${JSON.stringify(networkOf(source.address))},`
  members += `"salt":"${randomToken(16)}"`
  if (userAgent !== null) members += `,"userAgent":${JSON.stringify(userAgent)}`
  return `{${members}}`
}

function hasValues(changes: NonNullable<Fact['changes']>): boolean {
  for (const name in changes) if (changes[name]!.before !== undefined || changes[name]!.after !== undefined) return true
  return false
}
