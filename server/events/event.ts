import type { ErrorCode } from '../../contract/errors.ts'
import type { ActorKind, EventType, SubjectKind } from '../../contract/events.ts'

/** Who acted. */
export interface Actor {
  readonly kind: ActorKind
  /** `root` for the root key; null for an anonymous caller and the system. */
  readonly id: string | null
  readonly session?: string
}

/** What an act was about: the user whenever it is about a user's account, with the details naming session or code. */
export interface Subject {
  readonly kind: SubjectKind
  readonly id: string | null
}

/** What to record of an act. */
export interface Fact {
  readonly type: EventType
  readonly subject: Subject
  /** Default: the caller. A sign-in names the user that it signs in. */
  readonly actor?: Actor
  /** The code of a refusal; absent when the act was done. */
  readonly refused?: ErrorCode
  /** Ids, names and counts. They stay readable after a person is erased, so nothing here may name one. */
  readonly details?: Readonly<Record<string, unknown>>
  /**
   * What changed. The names stay readable after a person is erased, the values do not. Addresses are masked here; values
   * of sensitive fields, passwords, codes, tokens and secrets are left out.
   */
  readonly changes?: Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>
}

/** An event as it is queued and stored; `at` in epoch milliseconds. */
export interface QueuedEvent {
  readonly id: string
  readonly at: number
  readonly type: EventType
  readonly actorKind: ActorKind
  readonly actorId: string | null
  readonly subjectKind: SubjectKind
  readonly subjectId: string | null
  readonly outcome: 'done' | 'refused'
  readonly requestId: string | null
  /** Canonical JSON (`PublicPart`): nothing in it names a person. */
  readonly public: string
  /** Canonical JSON (`PersonalPart`) with a random salt; null once the person is erased. */
  readonly personal: string | null
  /** base64url SHA-256 of `personal` as it was recorded; `''` until storage adds it. */
  readonly commitment: string
}

export interface PublicPart {
  readonly code?: ErrorCode
  /** Names of what changed. */
  readonly changed?: readonly string[]
  readonly details?: Fact['details']
  /** The actor's session. */
  readonly session?: string
}

export interface PersonalPart {
  /** 16 random bytes in base64url: without them the commitment would confirm a guess of an erased person. */
  readonly salt: string
  readonly changes?: Fact['changes']
  readonly network?: string
  readonly userAgent?: string
}

/** The queue of one log: a tenant's, or the deployment's. The relay (`relay.ts`) moves its rows to the sealed log. */
export interface EventQueueStore {
  /** Call it in the transaction of the act, so that neither is stored without the other. */
  add(event: QueuedEvent): Promise<void>
}
