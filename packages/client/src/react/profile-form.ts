import type { FormStep, Profile, ProfileSchema, ReadProfile } from '../generated/types.ts'
import type { Session } from '../session/session.ts'
import { configurationOf } from './configuration.ts'
import { type JudgedValues, judgeValues } from './field-conditions.ts'
import { createFormState, noErrors, type ProfileFormState } from './form-state.ts'
import type { Observable } from './observable.ts'
import { isWritable } from './profile-fields.ts'
import { entriesWhere, own } from './records.ts'
import { userOf } from './session-provider.ts'
import { type ShownForm, type StepProgress, shownForm } from './shown-form.ts'
import { failureOf, isSame, refusalsAbout, refusalsOf, type Submission, without } from './submission.ts'

/** A profile form without its component: reads the profile when the component is mounted, and keeps what the user enters. */
export interface ProfileForm {
  readonly session: Session
  readonly state: Observable<ProfileFormState>
  setValue(name: string, value: unknown): void
  submit(submission: Submission): Promise<boolean>
  /** Submits, and opens the next step once the current one is complete. */
  next(submission: Submission): Promise<boolean>
  /** Opens the step before the current one. */
  back(submission: Submission): void
  reset(): void
}

/** @param isNew whether the form is for a user who does not exist yet, so that there is nothing to read */
export function createProfileForm(session: Session, isNew: boolean): ProfileForm {
  const { state, change, work } = createFormState(session, isNew, save, (profile) => void fieldsGone(profile))
  const configuration = configurationOf(session)
  const schemaOf = () => configuration.state.get().configuration?.profileSchema
  /** What the component shows. Requires the schema to be known. */
  const shownOf = ({ form, validate }: Submission) =>
    shownForm(schemaOf()!, form, state.get(), userOf(session.state), validate)

  function submit(submission: Submission): Promise<boolean> {
    if (schemaOf() && state.get().profile !== undefined) return work().save(submission)
    change({ error: undefined })
    return readMissing().then(() => false)
  }

  /** Reads the profile and its schema, if reading them has failed before. */
  const readMissing = () =>
    Promise.all([
      session.state.status === 'signedIn' && state.get().profile === undefined && work().read(),
      schemaOf() ?? configuration.reload(),
    ])

  /** The fields that a newer version of the schema, by which the service answered, no longer has. Reads that version. */
  function fieldsGone(profile: ReadProfile): string[] {
    const names = schemaOf()?.components.map(({ name }) => name) ?? []
    const gone = names.filter((name) => !Object.hasOwn(profile, name))
    if (gone.length > 0) void configuration.reload()
    return gone
  }

  async function save(submission: Submission): Promise<boolean> {
    const started = work()
    const shown = shownOf(submission)
    const refusals = refusalsOf(schemaOf()!, submission, state.get().profile!, shown)
    // The step that is being saved stays open.
    change({ ...refusals, step: shown.step?.step, error: undefined })
    if (Object.keys(refusals.errors).length > 0) return false
    // What a step requires is left to the service where it depends on values that the user cannot read.
    const isLeft = shown.step && shown.asked.length < shown.required.length
    if (isNew || isLeft || Object.keys(shown.entered).length > 0) {
      change({ isSaving: true })
      let profile: Profile | undefined
      try {
        profile = await send(submission, shown)
      } catch (error) {
        if (started !== work()) return false
        const failure = failureOf(error as Error, shown)
        change({ isSaving: false, ...failure })
        // A newer version of the schema may have other fields or steps.
        if ((failure.error as { code?: string } | undefined)?.code === 'VALIDATION_ERROR') void configuration.reload()
        return false
      }
      if (started !== work()) return false
      change({ isSaving: false, ...(profile && stateOfSaved(profile, state.get(), shown)) })
      const ignored = profile ? fieldsGone(profile).filter((name) => Object.hasOwn(shown.entered, name)) : []
      if (ignored.length > 0) {
        change({
          error: new Error(`The profile schema has changed; not saved: ${ignored}. Check the form and save again`),
        })
        await configuration.reload()
        return false
      }
      if (profile) submission.onSaved?.(profile)
    }
    askNextForm(submission)
    return true
  }

  /** The stored profile; undefined if the component sends the values of a new one. */
  async function send({ form, send }: Submission, { entered, step }: ShownForm): Promise<Profile | undefined> {
    if (send === undefined)
      return session.client.updateProfile(entered, { query: step && { form: form!, step: step.step } })
    await send(entered)
    return undefined
  }

  /** Once the form that the session names is complete, the service may name another one. */
  function askNextForm(submission: Submission): void {
    const { form } = submission
    const now = session.state
    const isNext = form !== undefined && now.status === 'signedIn' && now.nextForm === form
    if (isNext && shownOf(submission).steps.every(({ complete }) => complete))
      session.client.getAccount().catch(() => {})
  }

  async function next(submission: Submission): Promise<boolean> {
    if (!(await submit(submission))) return false
    let shown = shownOf(submission)
    if (shown.step?.verify && !shown.step.complete) {
      // The user may have verified the address meanwhile.
      await session.client.getAccount().catch((error: Error) => change({ error }))
      shown = shownOf(submission)
    }
    if (shown.step?.complete === false && canComplete(shown.step, shown.before)) {
      change(refusalsAbout(shown.step.invalid, shown.refusals))
      return false
    }
    turn(1, shown)
    return true
  }

  /** Whether the user can do something about a step that is not complete, and does not only meet values of the operator. */
  const canComplete = ({ verify, missing, invalid }: StepProgress & FormStep, before: JudgedValues): boolean =>
    verify !== undefined ||
    missing.length > 0 ||
    schemaOf()!.components.some((one) => invalid.includes(one.name) && isWritable(one, state.get().stored, before))

  /** Opens the step that is this many after the current one, if there is one. */
  function turn(by: number, { steps, step }: ShownForm): void {
    const opened = steps[steps.findIndex((one) => one.step === step?.step) + by]
    if (opened) change({ step: opened.step, ...noErrors })
  }

  return {
    session,
    state,
    submit,
    next,
    setValue(name, value) {
      const schema = schemaOf()
      const entry = schema && entering(name, value, state.get(), schema)
      if (entry) change(entry)
    },
    back(submission) {
      if (schemaOf()) turn(-1, shownOf(submission))
    },
    reset() {
      change({ entered: {}, ...noErrors })
      void readMissing()
    },
  }
}

/** What the user changed while the form was saved stays entered. Hidden fields no longer have a value. */
function stateOfSaved(
  profile: Profile,
  { entered }: ProfileFormState,
  { entered: sent, now }: ShownForm,
): Partial<ProfileFormState> {
  const isLeft = (name: string, value: unknown) =>
    !now.hidden.has(name) && !isSame(value, own({ ...profile, ...sent }, name))
  return { profile, stored: profile, entered: entriesWhere(entered, isLeft) }
}

/** What an entered value changes; undefined if the user cannot change the field. */
function entering(
  name: string,
  value: unknown,
  { stored, entered, errors, details, isSaving }: ProfileFormState,
  schema: ProfileSchema,
): Partial<ProfileFormState> | undefined {
  const component = schema.components.find((one) => one.name === name)
  if (component === undefined || !isWritable(component, stored, judgeValues(schema, stored))) return undefined
  const others = without(entered, name)
  return {
    // While another value is being saved, the stored one is a change again. One that cannot be read may be any.
    entered:
      component.readable !== false && isSame(value, own(stored, name)) && !isSaving
        ? others
        : { ...others, [name]: value ?? null },
    errors: without(errors, name),
    details: without(details, name),
  }
}
