import { createElement as h, type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { validateProfile } from '../../packages/client/src/profile.ts'
import { SessionProvider, useProfileForm, useSession, useTenantConfiguration } from '../../packages/client/src/react.ts'
import type { Session, SessionState } from '../../packages/client/src/session/session.ts'
import { storageOf } from '../../packages/client/src/session/storage-of.ts'

/** What a test decides about the page, as JSON in the fragment of its URL. */
export interface PageSettings {
  readonly baseUrl: string
  readonly tenantKey: string
  readonly accessToken: string
  readonly userId: string
  readonly form?: string
  readonly locale?: string
  readonly validates?: boolean
}

const settings: PageSettings = JSON.parse(decodeURIComponent(location.hash.slice(1)))

/** A session that is signed in and stays so. */
function fixedSession(): Session {
  const { baseUrl, tenantKey, accessToken, userId } = settings
  const state = { status: 'signedIn', user: { id: userId } } as SessionState
  const session: Session = {
    client: createTenantryClient({ baseUrl, tenantKey, accessToken }),
    state,
    ready: async () => state,
    onChange: () => () => {},
    accessToken: async () => accessToken,
    signOut: async () => {},
    close: () => {},
  }
  storageOf.set(session, { storage: localStorage, key: 'tenantry.test' })
  return session
}

/** Shows the configuration a second time, beside the form. */
function Version(): ReactNode {
  const { configuration, error, reload } = useTenantConfiguration()
  const { user } = useSession()
  return h(
    'p',
    { id: 'version', onClick: reload, title: user?.id },
    error?.name ?? configuration?.profileSchema?.version,
  )
}

function Form(): ReactNode {
  const { form, locale, validates } = settings
  const { status, sections, setValue, submit, reset, error } = useProfileForm({
    ...{ form, locale },
    ...(validates && { validate: validateProfile }),
    onSaved(profile) {
      document.title += `saved ${profile.id};`
    },
  })
  const inputs = sections.map(({ section, title, fields }) =>
    h(
      'fieldset',
      { key: section },
      h('legend', null, title),
      fields.map((field) =>
        h(
          'label',
          { key: field.name, 'data-changed': field.isChanged, 'data-required': field.required },
          h('span', null, field.label),
          h('input', {
            name: field.name,
            disabled: !field.writable,
            value: String(field.value ?? ''),
            onChange: ({ target }: { target: HTMLInputElement }) =>
              setValue(
                field.name,
                target.value === '' ? null : field.type === 'integer' ? Number(target.value) : target.value,
              ),
          }),
          h('em', null, field.error),
        ),
      ),
    ),
  )
  return h(
    'form',
    {
      'data-status': status,
      onSubmit(event: Event) {
        event.preventDefault()
        void submit()
      },
    },
    ...[inputs, h('button', { type: 'submit' }, 'Save'), h('button', { type: 'button', onClick: reset }, 'Undo')],
    h('output', null, error?.name),
  )
}

const app = h(SessionProvider, { session: fixedSession() }, h(Version), h(Form))
createRoot(document.body.appendChild(document.createElement('main'))).render(h(StrictMode, null, app))
