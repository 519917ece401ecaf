import type { Activity } from '../../../contract/accounts/activity.ts'
import { isOperatorNote } from '../../../contract/fields/field-component.ts'
import type { ProfileSchema } from '../../../contract/profile-schema.ts'
import type { SealedEvent } from '../sealed-log.ts'
import { presentEvent } from './present-event.ts'

/** How a user sees the events of their activity. */
export type ActivityPresenter = (event: SealedEvent) => Activity

/**
 * Presents events as their user sees them. Users see the network and the browser of their own acts, and of acts without a
 * signed-in user, such as a refused sign-in: "was this you?" needs them. They see no ids, networks or browsers of operators and
 * other users, and nothing but the type of an act of theirs that was about another user.
 * @param schema the current one, which decides what they see of changes of their profile
 */
export function activityPresenter(
  userId: string,
  { components }: Pick<ProfileSchema, 'components'>,
): ActivityPresenter {
  const fields: ProfileFields = new Map(components.map((component) => [component.name, component]))
  return (event) => {
    const presented = presentEvent(event, null)
    const { id, type, at, outcome, code, details, actor, where } = presented
    const isOwnAct = actor.kind === 'user' && actor.id === userId
    const isAboutOthers = event.subjectKind === 'user' && event.subjectId !== userId
    const changes = type.startsWith('profile.') ? shownChanges(presented.changes, fields, isOwnAct) : presented.changes
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
}

type ProfileFields = ReadonlyMap<string, ProfileSchema['components'][number]>

/**
 * The changed fields of a profile that its user may know of: none of the operator's own notes. A name that no current field has
 * may be that of a removed note, unless the user changed the field. Undefined when nothing is left, so that the event does not
 * tell that there was something.
 */
function shownChanges(changes: Activity['changes'], fields: ProfileFields, isOwnAct: boolean): Activity['changes'] {
  const shown = Object.entries(changes ?? {}).flatMap(([name, change]) => {
    const field = fields.get(name)
    if (field === undefined ? !isOwnAct : isOperatorNote(field)) return []
    // Values are recorded while a field is readable, which it may not be any longer.
    return [[name, field?.readable === false ? {} : change] as const]
  })
  return shown.length === 0 ? undefined : Object.fromEntries(shown)
}
