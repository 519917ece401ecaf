import type { Activity } from '../../../contract/activity.ts'
import type { SealedEvent } from '../sealed-log.ts'
import { presentEvent } from './present-event.ts'

/**
 * An event as its user sees it. Users see the network and the browser of their own acts, and of acts without a
 * signed-in user, such as a refused sign-in: "was this you?" needs them. They see no ids, networks or browsers of operators and
 * other users, and nothing but the type of an act of theirs that was about another user.
 */
export function presentActivity(event: SealedEvent, userId: string): Activity {
  const { id, type, at, outcome, code, details, changes, actor, where } = presentEvent(event, null)
  const isOwnAct = actor.kind === 'user' && actor.id === userId
  const isAboutOthers = event.subjectKind === 'user' && event.subjectId !== userId
  const { network, userAgent } = where
  const showsWhere = isOwnAct || actor.kind === 'tenantKey' || actor.kind === 'anonymous'
  return {
    id,
    type,
    at,
    actor: { kind: actor.kind, ...(isOwnAct && actor.session !== undefined && { session: actor.session }) },
    outcome,
    ...(code !== undefined && { code }),
    ...(details !== undefined && !isAboutOthers && { details }),
    ...(changes !== undefined && !isAboutOthers && { changes }),
    where: showsWhere ? { network, userAgent } : { network: null, userAgent: null },
  }
}
