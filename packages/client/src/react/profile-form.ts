import type { Profile, ProfileSchema, ReadProfile } from '../generated/types.ts'
import type { Session } from '../session/session.ts'
import { type Configuration, configurationOf } from './configuration.ts'
import { type Observable, observable } from './observable.ts'
import { isWritable, own, type ProfileFormValues } from './profile-fields.ts'

/** The state of one form. */
export interface ProfileFormState extends ProfileFormValues {
  /** Undefined until the profile was read; null for the profile of a user who does not exist yet. */
  readonly profile: ReadProfile | null | undefined
  readonly isSaving: boolean
  /** Why reading or saving failed, except for messages about fields. */
  readonly error: Error | undefined
}

/** What one submission needs from the component. */
export interface Submission {
  readonly form: string | undefined
  readonly validate:
    | ((schema: ProfileSchema, values: Readonly<Record<string, unknown>>) => Record<string, string>)
    | undefined
  readonly onSaved: ((profile: Profile) => void) | undefined
  /** Sends the values of a new profile. */
  readonly send: ((values: Record<string, unknown>) => Promise<unknown>) | undefined
}

/** A profile form without its component: reads the profile when the component is mounted, and keeps what the user enters. */
export interface ProfileForm {
  readonly state: Observable<ProfileFormState>
  setValue(name: string, value: unknown): void
  submit(submission: Submission): Promise<boolean>
  reset(): void
}

/** The state before anything was read, and while rendering on a server. */
export const emptyForm: ProfileFormState = {
  ...{ stored: {}, entered: {}, errors: {}, details: {} },
  ...{ profile: undefined, isSaving: false, error: undefined },
}

/** @param isNew whether the form is for a user who does not exist yet, so that there is nothing to read */
export function createProfileForm(session: Session, isNew: boolean): ProfileForm {
  const begun: ProfileFormState = isNew ? { ...emptyForm, profile: null } : emptyForm
  const configuration: Configuration = configurationOf(session)
  let userId: string | undefined
  let reading: Promise<void> | undefined
  let saving: Promise<boolean> | undefined
  /** Changes with the user, so that answers about another user are ignored. */
  let generation = 0

  const state = observable(begun, () => {
    if (isNew) return () => {}
    followUser()
    return session.onChange(followUser)
  })
  const change = (part: Partial<ProfileFormState>) => state.set({ ...state.get(), ...part })

  /** Forgets what belongs to another user. After an expired session, the same user finds the entered values again. */
  function followUser(): void {
    const now = session.state
    if (now.status === 'signedIn') {
      if (userId !== undefined && userId !== now.user.id) forget()
      userId = now.user.id
      if (state.get().profile === undefined) void read()
    } else if (now.status === 'signedOut' && now.reason !== 'expired') {
      forget()
    }
  }

  function forget(): void {
    generation++
    userId = undefined
    reading = undefined
    saving = undefined
    if (state.get() !== begun) state.set(begun)
  }

  function read(): Promise<void> {
    const started = generation
    const isCurrent = () => started === generation
    reading ??= session.client
      .getProfile()
      .then(
        (profile) => isCurrent() && change({ profile, stored: profile, error: undefined }),
        (error: Error) => isCurrent() && change({ error }),
      )
      .then(() => {
        if (isCurrent()) reading = undefined
      })
    return reading
  }

  const schemaOf = () => configuration.state.get().configuration?.profileSchema

  async function readAgain(): Promise<void> {
    change({ error: undefined })
    await Promise.all([
      session.state.status === 'signedIn' && state.get().profile === undefined && read(),
      schemaOf() === undefined && configuration.reload(),
    ])
  }

  async function save(schema: ProfileSchema, submission: Submission): Promise<boolean> {
    const started = generation
    const { entered: sent, stored } = state.get()
    const errors = refusals(schema, submission, stored, sent)
    change({ errors, details: {}, error: undefined })
    if (Object.keys(errors).length > 0) return false
    if (Object.keys(sent).length === 0 && !isNew) return true
    change({ isSaving: true })
    let profile: Profile
    try {
      if (submission.send !== undefined) {
        await submission.send(sent)
        change({ isSaving: false })
        return true
      }
      profile = await session.client.updateProfile(sent)
    } catch (error) {
      if (started === generation) change({ isSaving: false, ...failure(schema, error as Error) })
      return false
    }
    if (started !== generation) return false
    // What the user changed meanwhile stays entered.
    const isSaved = (name: string, value: unknown) =>
      isSame(value, own(Object.hasOwn(sent, name) ? sent : profile, name))
    const entered = Object.entries(state.get().entered).filter(([name, value]) => !isSaved(name, value))
    change({ isSaving: false, profile, stored: profile, entered: Object.fromEntries(entered) })
    submission.onSaved?.(profile)
    return true
  }

  return {
    state,

    setValue(name, value) {
      const component = schemaOf()?.components.find((one) => one.name === name)
      const { stored, entered, errors, details, isSaving } = state.get()
      if (component === undefined || !isWritable(component, own(stored, name))) return
      const others = without(entered, name)
      change({
        // While another value is being saved, the stored one is a change again.
        entered: isSame(value, own(stored, name)) && !isSaving ? others : { ...others, [name]: value ?? null },
        errors: without(errors, name),
        details: without(details, name),
      })
    },

    submit(submission) {
      const schema = schemaOf()
      if (schema === undefined || state.get().profile === undefined) return readAgain().then(() => false)
      const started = generation
      saving ??= save(schema, submission).finally(() => {
        if (started === generation) saving = undefined
      })
      return saving
    },

    reset() {
      change({ entered: {}, errors: {}, details: {}, error: undefined })
      if (schemaOf() === undefined || state.get().profile === undefined) void readAgain()
    },
  }
}

/** The messages about fields before they are sent: of `validate`, and for required fields that would stay empty. */
function refusals(
  schema: ProfileSchema,
  { form, validate }: Submission,
  stored: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const errors = { ...validate?.(schema, sent) }
  const required = form === undefined ? [] : (own(schema.forms, form)?.required ?? [])
  for (const name of required) {
    const value = Object.hasOwn(sent, name) ? sent[name] : own(stored, name)
    if ((value ?? null) === null) errors[name] = 'Required'
  }
  return errors
}

/** The service's messages by field. An error that is also about something else is kept whole beside them. */
function failure(schema: ProfileSchema, error: Error): Partial<ProfileFormState> {
  const { validation = {}, details } = error as {
    validation?: Record<string, string>
    details?: Record<string, unknown>
  }
  const names = new Set(schema.components.map(({ name }) => name))
  // Operations that take the profile as a part name its fields `profile.x`.
  const messages = Object.entries(validation).map(
    ([path, message]) => [path.replace(/^profile\./, ''), message] as const,
  )
  const errors = Object.fromEntries(messages.filter(([name]) => names.has(name)))
  const isAboutFields = messages.length > 0 && messages.length === Object.keys(errors).length
  return { errors, details: details ?? {}, error: isAboutFields ? undefined : error }
}

/** Null and undefined both mean: no value. Objects are equal if their JSON is. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

function without<T>(record: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))
}
