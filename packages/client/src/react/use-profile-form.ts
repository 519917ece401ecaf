import { useMemo, useState, useSyncExternalStore } from 'react'
import type { Profile } from '../generated/types.ts'
import type { validateProfile } from '../profile.ts'
import type { Session } from '../session/session.ts'
import { emptyForm } from './form-state.ts'
import { type ProfileFormView, viewOf } from './profile-fields.ts'
import { createProfileForm, type ProfileForm } from './profile-form.ts'
import { useProvidedSession, useSession, useTenantConfiguration } from './session-provider.ts'
import { shownForm } from './shown-form.ts'

/** The options of `useProfileForm`. */
export interface ProfileFormOptions {
  /**
   * A form of the schema, such as `signUp`. Default: all fields, in the sections of the presentation. One that the schema lacks
   * is `failed`, or with `send` empty.
   */
  readonly form?: string | undefined
  /** The language of labels as a BCP 47 tag. Default: the browser's. */
  readonly locale?: string | undefined
  /** `validateProfile` of `@tenantry/client/profile`, to find invalid values before they are sent. */
  readonly validate?: typeof validateProfile | undefined
  /** Called with the profile after each save. */
  readonly onSaved?: ((profile: Profile) => void) | undefined
  /**
   * Sends the values in place of `updateProfile`, such as `signUp` with the values as its `profile`. The form then begins
   * empty and needs no signed-in user. Must be given always or never.
   */
  readonly send?: ((values: Record<string, unknown>) => Promise<unknown>) | undefined
}

/** What `useProfileForm` returns. */
export interface UsedProfileForm extends ProfileFormView {
  /** `failed`: reading or saving failed, or the schema lacks the form; see `error`. The entered values are kept. */
  readonly status: 'loading' | 'ready' | 'saving' | 'failed'
  /** Enters a value; null clears the field. Ignored for fields that the user cannot change. */
  setValue(name: string, value: unknown): void
  /** Sends the changed fields. Resolves with whether all are saved; messages are in `fields`, other errors in `error`. */
  submit(): Promise<boolean>
  /**
   * Saves the current step and opens the next one. Resolves with false if the step is not complete: values are invalid or
   * missing, or its address is not verified. Also if the user changed values of the step during the save; they are kept.
   */
  next(): Promise<boolean>
  /** Opens the previous step. What was entered is kept. */
  back(): void
  /** Discards what was entered. After a failure, reads again: the service may have saved it and only the answer was lost. */
  reset(): void
  readonly error: Error | undefined
}

/** A form for the profile of the signed-in user: the tenant's fields, what the user entered, and what the service says. */
export function useProfileForm(options: ProfileFormOptions = {}): UsedProfileForm {
  const { form, locale, validate, send } = options
  const isNew = send !== undefined
  const { configuration, error: unread } = useTenantConfiguration()
  const profileForm = useFormOf(useProvidedSession(), isNew)
  const state = useSyncExternalStore(profileForm.state.subscribe, profileForm.state.get, () => emptyForm)
  const schema = configuration?.profileSchema
  const language = locale ?? globalThis.navigator?.language ?? ''
  const isRead = schema && state.profile !== undefined
  const { user, nextForm } = useSession()
  const shown = useMemo(() => {
    if (!isRead) return { fields: [], sections: [], steps: [] }
    return viewOf(schema, form, language, state, shownForm(schema, form, state, user, validate))
  }, [isRead, schema, form, language, state, user, validate])
  const unknown = useMemo(() => {
    // A sign-up needs no form. For the one that the session names, a newer schema is requested.
    if (!schema || !form || isNew || form === nextForm || Object.hasOwn(schema.forms, form)) return undefined
    return new Error(`The profile schema has no form "${form}"`)
  }, [schema, form, isNew, nextForm])
  const error = state.error ?? (schema ? unknown : unread)
  return {
    status: state.isSaving ? 'saving' : error ? 'failed' : isRead ? 'ready' : 'loading',
    ...shown,
    setValue: profileForm.setValue,
    submit: () => profileForm.submit(options),
    next: () => profileForm.next(options),
    back: () => profileForm.back(options),
    reset: profileForm.reset,
    error,
  }
}

/** The component's own form; another one if the provider gets another session. */
function useFormOf(session: Session, isNew: boolean): ProfileForm {
  const create = () => createProfileForm(session, isNew)
  const [held, hold] = useState(create)
  if (held.session === session) return held
  const next = create()
  hold(next)
  return next
}
