import type { JsonValue } from '../../../../contract/fields/json-value.ts'
import { entriesWhere, isSameValue, ownValue } from '../../../../contract/fields/profile-values.ts'
import type { Profile, ProfileSchema } from '../generated/types.ts'
import type { Observable } from '../observable.ts'
import type { Session } from '../session/session.ts'
import { configurationOf } from './configuration.ts'
import { judgeValues } from './field-conditions.ts'
import { createFormState, noErrors, type ProfileFormState } from './form-state.ts'
import { refusalsAbout } from './refusals.ts'
import { type ShownForm, shownForm } from './shown-form.ts'
import { nextFormOf, userOf } from './signed-in.ts'
import { failureOf, refusalsOf, type Submission, without } from './submission.ts'

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

/** What changes in a form with the end of a submission. */
type Outcome = Partial<ProfileFormState> & { readonly profile?: Profile }

/** @param isNew whether the form is for a user who does not exist yet, so that there is nothing to read */
export function createProfileForm(session: Session, isNew: boolean): ProfileForm {
  const { state, change, followUser, work } = createFormState(session, isNew, save)
  const configuration = configurationOf(session)
  const schemaOf = () => configuration.state.get().configuration?.profileSchema
  /** What the component shows. Requires the schema to be known. */
  const shownOf = ({ form, validate }: Submission) =>
    shownForm(schemaOf()!, form, state.get(), userOf(session.state), validate)

  function submit(submission: Submission): Promise<boolean> {
    if (schemaOf() && state.get().profile !== undefined) return work().save(submission)
    change(noErrors)
    return readMissing().then(() => false)
  }

  /** Reads the profile and its schema, if reading them has failed before; the profile after any error. */
  const readMissing = () => Promise.all([followUser(), schemaOf() ?? configuration.reload()])

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
      const outcome: Outcome = await send(submission, shown).catch((error: Error) => failureOf(error, shown))
      if (started !== work()) return false
      change({ isSaving: false, ...outcome })
      const { profile, errors, error } = outcome
      // A newer version of the schema may have other fields or steps.
      if ((error as { code?: string } | undefined)?.code === 'VALIDATION_ERROR') void configuration.reload()
      if (error || errors) return false
      if (profile) submission.onSaved?.(profile)
    }
    // Once the form that the session names is complete, the service may name another one.
    const isNext = nextFormOf(session.state) === submission.form
    if (isNext && shownOf(submission).steps.every(({ complete }) => complete))
      session.client.getAccount().catch(() => {})
    return true
  }

  /**
   * What is saved. What the user changed meanwhile stays entered, and hidden fields no longer have a value. An error names the
   * entered values that the service has ignored.
   */
  async function send(submission: Submission, { entered: sent, step, now }: ShownForm): Promise<Outcome> {
    if (submission.send) {
      await submission.send(sent)
      return {}
    }
    const query = step && { form: submission.form!, step: step.step }
    const profile = await session.client.updateProfile(sent, { query })
    const ignored = configuration.fieldsGone(profile).filter((name) => Object.hasOwn(sent, name))
    let error: Error | undefined
    if (ignored.length > 0) {
      error = new Error(`The profile schema has changed; not saved: ${ignored}. Check the form`)
      await configuration.reload()
    }
    const isLeft = (name: string, value: unknown) =>
      !now.hidden.has(name) && !isSameValue(value as JsonValue, ownValue({ ...profile, ...sent }, name) as JsonValue)
    return { profile, stored: profile, entered: entriesWhere(state.get().entered, isLeft), error }
  }

  async function next(submission: Submission): Promise<boolean> {
    const saved = submit(submission)
    const left = state.get().step
    if (!(await saved)) return false
    let shown = shownOf(submission)
    if (shown.step?.verify && !shown.step.complete) {
      // The user may have verified the address meanwhile.
      await session.client.getAccount().catch((error: Error) => change({ error }))
      shown = shownOf(submission)
    }
    // A second click has opened the next step already, or the user has gone back.
    if (state.get().step !== left) return true
    const { step, refusals } = shown
    // The next step neither shows nor saves what the user has changed during the save.
    if (step && (!step.complete || Object.keys(shown.entered).length > 0)) {
      change(refusalsAbout(step.invalid, refusals))
      return false
    }
    turn(1, shown)
    return true
  }

  /** Opens the step that is this many after the current one, if there is one. */
  function turn(by: number, { steps, step }: ShownForm): void {
    const opened = steps[steps.indexOf(step!) + by]
    if (opened) change({ step: opened.step, ...noErrors })
  }

  return {
    session,
    state,
    submit,
    next,
    setValue(name, value) {
      const schema = schemaOf()
      const now = state.get()
      if (schema && judgeValues(schema, now.stored).isWritable(name)) {
        change(entering(name, (value ?? null) as JsonValue, now, schema))
      }
    },
    back(submission) {
      if (schemaOf()) turn(-1, shownOf(submission))
    },
    reset() {
      // The service may have saved what failed, and only the answer was lost.
      void readMissing()
      change({ entered: {}, ...noErrors })
    },
  }
}

/** What an entered value changes. */
function entering(
  name: string,
  value: JsonValue,
  { stored, entered, errors, details, isSaving }: ProfileFormState,
  schema: ProfileSchema,
): Partial<ProfileFormState> {
  const others = without(entered, name)
  const isReadable = schema.components.some((one) => one.name === name && one.readable !== false)
  return {
    // While another value is being saved, the stored one is a change again. One that cannot be read may be any.
    entered:
      isReadable && isSameValue(value, (ownValue(stored, name) ?? null) as JsonValue) && !isSaving
        ? others
        : { ...others, [name]: value },
    errors: without(errors, name),
    details: without(details, name),
  }
}
