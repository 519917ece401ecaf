import type { ProfileForm } from '../../../contract/profile-schema.ts'
import type { TenantCall } from '../../core/call.ts'
import { readFormState } from '../../profiles/form-state.ts'
import type { Stores, Tx } from '../../storage/storage.ts'
import type { Session } from '../sessions/session.ts'
import type { User } from '../user.ts'

const dayMs = 86_400_000

/** `nextForm` of an answer: null when there is nothing to complete; undefined, and no statement, without a prompt. */
type NextForm = string | null | undefined

interface PromptedForm {
  readonly name: string
  readonly form: ProfileForm
  /** How long the form is not named again; 0 names it every time. */
  readonly pauseMs: number
}

/** The form of the current schema that has `prompt`. */
function promptedForm({ snapshot }: TenantCall): PromptedForm | undefined {
  for (const [name, form] of Object.entries(snapshot.profileSchema.schema.forms)) {
    if (form.prompt === 'signIn') return { name, form, pauseMs: (form.promptAgainDays ?? 0) * dayMs }
  }
  return undefined
}

const isComplete = async ({ form }: PromptedForm, user: User, { snapshot, now }: TenantCall, stores: Stores) =>
  (await readFormState(form, user, snapshot, stores, now)).complete

/**
 * The form that a sign-in names (FORM-4). With `promptAgainDays` (FORM-5), recording it decides: of two sign-ins at once, one names
 * the form.
 */
export async function nextFormAtSignIn(tx: Tx, user: User, call: TenantCall): Promise<NextForm> {
  const prompted = promptedForm(call)
  if (prompted === undefined) return undefined
  if (await isComplete(prompted, user, call, tx)) return null
  const { name, pauseMs } = prompted
  if (pauseMs === 0) return name
  return (await tx.formPrompts.record(user.id, call.now, call.now - pauseMs)) ? name : null
}

/** The form to name later in a session (FORM-4, FORM-5): what its own sign-in named, or what a sign-in would name now. */
export async function nextFormInSession(user: User, session: Session, call: TenantCall): Promise<NextForm> {
  const prompted = promptedForm(call)
  if (prompted === undefined) return undefined
  if (await isComplete(prompted, user, call, call.storage)) return null
  const { name, pauseMs } = prompted
  if (pauseMs === 0) return name
  const latest = await call.storage.formPrompts.latestOf(user.id)
  return latest === null || latest === session.createdAt || latest <= call.now - pauseMs ? name : null
}
