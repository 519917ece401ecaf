import type { ReadProfile } from '../generated/types.ts'
import { joined } from '../joined.ts'
import { type Observable, observable } from '../observable.ts'
import type { Session } from '../session/session.ts'
import { configurationOf } from './configuration.ts'
import type { ProfileFormValues } from './shown-form.ts'

/** The state of one form. */
export interface ProfileFormState extends ProfileFormValues {
  /** Undefined until the profile was read; null for the profile of a user who does not exist yet. */
  readonly profile?: ReadProfile | null | undefined
  readonly isSaving: boolean
  /** Why reading or saving failed, except for messages about fields. */
  readonly error: Error | undefined
}

export const noErrors = { errors: {}, details: {}, error: undefined }

/** The state before anything was read, and while rendering on a server. */
export const emptyForm: ProfileFormState = {
  ...noErrors,
  ...{ stored: {}, entered: {}, isSaving: false },
}

/** What is under way for one user. */
interface UserWork<Save> {
  userId?: string
  /** Reads the profile. Does not reject. */
  readonly read: () => Promise<unknown>
  readonly save: Save
}

/** The state of a form, and what is under way for the user of the session. */
export interface FormState<Save> {
  readonly state: Observable<ProfileFormState>
  readonly change: (part: Partial<ProfileFormState>) => void
  /** Reads the profile if it was not read, and again after an error. */
  readonly followUser: () => Promise<void>
  /** Another one once the user has changed, so that answers about another user can be ignored. */
  readonly work: () => UserWork<Save>
}

/**
 * Reads the profile when the component is mounted, and again when another user signs in.
 *
 * @param isNew whether the form is for a user who does not exist yet, so that there is nothing to read
 * @param save saves the form; one run at a time
 */
export function createFormState<A extends unknown[]>(
  session: Session,
  isNew: boolean,
  save: (...args: A) => Promise<boolean>,
): FormState<typeof save> {
  const begun: ProfileFormState = isNew ? { ...emptyForm, profile: null } : emptyForm
  const begin = (): UserWork<typeof save> => ({ read: joined(read), save: joined(save) })
  let work = begin()
  const state = observable(begun, () => {
    void followUser()
    return session.onChange(followUser)
  })
  const change = (part: Partial<ProfileFormState>) => state.set({ ...state.get(), ...part })

  /**
   * Reads the profile if it was not read, and forgets what belongs to another user. After an expired session, the same user
   * finds the entered values again, and no longer the error that the session has ended.
   */
  async function followUser(): Promise<void> {
    if (isNew) return
    const now = session.state
    if (now.status === 'signedIn') {
      if (work.userId && work.userId !== now.user.id) forget()
      work.userId = now.user.id
      const { profile, error } = state.get()
      if (error || !profile) await work.read()
    } else if (now.status === 'signedOut' && now.reason !== 'expired') {
      forget()
    }
  }

  function forget(): void {
    work = begin()
    state.set(begun)
  }

  function read(): Promise<unknown> {
    const started = work
    const before = state.get()
    // What a save answered meanwhile is newer, and so is its error.
    const counts = () => started === work && state.get().profile === before.profile
    return session.client.getProfile().then(
      (profile) => {
        if (!counts()) return
        const { error } = state.get()
        change({ profile, stored: profile, error: error === before.error ? undefined : error })
        configurationOf(session).fieldsGone(profile)
      },
      (error: Error) => counts() && change({ error }),
    )
  }

  return { state, change, followUser, work: () => work }
}
