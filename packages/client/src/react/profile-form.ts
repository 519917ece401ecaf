import type { Profile, ProfileSchema, ReadProfile } from '../generated/types.ts'
import type { Session } from '../session/session.ts'
import { type Configuration, configurationOf } from './configuration.ts'
import { judgeValues } from './field-conditions.ts'
import { type Observable, observable } from './observable.ts'
import { isWritable, type ProfileFormValues } from './profile-fields.ts'
import { entriesWhere, own } from './records.ts'
import { userOf } from './session-provider.ts'
import { type ShownForm, shownForm } from './shown-form.ts'
import { failureOf, isSame, refusalsOf, type Submission, without } from './submission.ts'

/** The state of one form. */
export interface ProfileFormState extends ProfileFormValues {
  /** Undefined until the profile was read; null for the profile of a user who does not exist yet. */
  readonly profile: ReadProfile | null | undefined
  readonly isSaving: boolean
  /** Why reading or saving failed, except for messages about fields. */
  readonly error: Error | undefined
}

/** A profile form without its component: reads the profile when the component is mounted, and keeps what the user enters. */
export interface ProfileForm {
  readonly state: Observable<ProfileFormState>
  setValue(name: string, value: unknown): void
  submit(submission: Submission): Promise<boolean>
  /** Submits, and opens the next step once the current one is complete. */
  next(submission: Submission): Promise<boolean>
  /** Opens the step before the current one. */
  back(form: string | undefined): void
  reset(): void
}

const noErrors = { errors: {}, details: {}, error: undefined }

/** The state before anything was read, and while rendering on a server. */
export const emptyForm: ProfileFormState = {
  ...noErrors,
  ...{ stored: {}, entered: {}, profile: undefined, isSaving: false, step: undefined },
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

  const shownOf = (schema: ProfileSchema, form: string | undefined) =>
    shownForm(schema, form, state.get(), userOf(session.state))

  async function save(schema: ProfileSchema, submission: Submission): Promise<boolean> {
    const started = generation
    const shown = shownOf(schema, submission.form)
    const { entered: sent } = shown
    const refusals = refusalsOf(schema, submission, isNew ? null : state.get().stored, shown)
    // The step that is being saved stays open.
    change({ ...refusals, step: shown.step?.step, error: undefined })
    if (Object.keys(refusals.errors).length > 0) return false
    if (Object.keys(sent).length === 0 && !isNew) return true
    change({ isSaving: true })
    let profile: Profile
    try {
      if (submission.send !== undefined) {
        await submission.send(sent)
        change({ isSaving: false })
        return true
      }

      const query = shown.step && { form: submission.form!, step: shown.step.step }
      profile = await session.client.updateProfile(sent, { query })
    } catch (error) {
      if (started === generation) change({ isSaving: false, ...failureOf(error as Error, shown) })
      return false
    }
    if (started !== generation) return false
    // What the user changed meanwhile stays entered. Hidden fields no longer have a value.
    const isDone = (name: string, value: unknown) =>
      shown.now.hidden.has(name) || isSame(value, own(Object.hasOwn(sent, name) ? sent : profile, name))
    const entered = entriesWhere(state.get().entered, (name, value) => !isDone(name, value))
    change({ isSaving: false, profile, stored: profile, entered })
    submission.onSaved?.(profile)
    return true
  }

  function submit(submission: Submission): Promise<boolean> {
    const schema = schemaOf()
    if (schema === undefined || state.get().profile === undefined) return readAgain().then(() => false)
    const started = generation
    saving ??= save(schema, submission)
      .then((isSaved) => {
        if (isSaved) askNextForm(schema, submission.form)
        return isSaved
      })
      .finally(() => {
        if (started === generation) saving = undefined
      })
    return saving
  }

  /** Once the form that the session names is complete, the service may name another one. */
  function askNextForm(schema: ProfileSchema, form: string | undefined): void {
    const now = session.state
    if (form === undefined || now.status !== 'signedIn' || now.nextForm !== form) return
    if (shownOf(schema, form).steps.every(({ complete }) => complete)) session.client.getAccount().catch(() => {})
  }

  /** Opens the step that is this many after the current one, if there is one. */
  function turn(by: number, { steps, step }: ShownForm): void {
    const next = steps[steps.findIndex((one) => one.step === step?.step) + by]
    if (next !== undefined) change({ step: next.step, ...noErrors })
  }

  return {
    state,

    setValue(name, value) {
      const component = schemaOf()?.components.find((one) => one.name === name)
      const { stored, entered, errors, details, isSaving } = state.get()
      if (component === undefined || !isWritable(component, own(stored, name))) return
      if (judgeValues(schemaOf()!, stored).holds(component.lockedWhen)) return
      const others = without(entered, name)
      change({
        // While another value is being saved, the stored one is a change again.
        entered: isSame(value, own(stored, name)) && !isSaving ? others : { ...others, [name]: value ?? null },
        errors: without(errors, name),
        details: without(details, name),
      })
    },

    submit,

    async next(submission) {
      if (!(await submit(submission))) return false
      const current = () => shownOf(schemaOf()!, submission.form)
      if (current().step?.verify && !current().step?.complete) {
        // The user may have verified the address meanwhile.
        await session.client.getAccount().catch((error: Error) => change({ error }))
      }
      if (current().step?.complete === false) return false
      turn(1, current())
      return true
    },

    back(form) {
      const schema = schemaOf()
      if (schema !== undefined) turn(-1, shownOf(schema, form))
    },

    reset() {
      change({ entered: {}, ...noErrors })
      if (schemaOf() === undefined || state.get().profile === undefined) void readAgain()
    },
  }
}
