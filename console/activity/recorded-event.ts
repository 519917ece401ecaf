import type { RecordedEvent } from '../../packages/client/src/admin.ts'

export type { RecordedEvent }
export type EventType = RecordedEvent['type']
export type ActorKind = RecordedEvent['actor']['kind']
export type SubjectKind = RecordedEvent['subject']['kind']
