import { createElement as h, type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createSession, createTenantryClient } from '../../../packages/client/src/index.ts'
import { validateProfile } from '../../../packages/client/src/profile.ts'
import {
  SessionProvider,
  useProfileForm,
  useSession,
  useTenantConfiguration,
} from '../../../packages/client/src/react.ts'

/** What a test decides about the page, as JSON in the fragment of its URL. */
export interface PageSettings {
  readonly baseUrl: string
  readonly tenantKey: string
  readonly email: string
  readonly password: string
  readonly form?: string
  readonly locale?: string
  readonly validates?: boolean
}

const settings: PageSettings = JSON.parse(decodeURIComponent(location.hash.slice(1)))

const { baseUrl, tenantKey, email, password } = settings
const session = createSession(createTenantryClient({ baseUrl, tenantKey }))
const { status } = await session.ready()
if (status === 'signedOut') await session.client.signIn({ method: 'password', email, password })

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
  const { status, sections, steps, setValue, submit, next, back, reset, error } = useProfileForm({
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
    h(
      'ol',
      null,
      steps.map(({ step, isCurrent, isComplete }) =>
        h('li', { key: step, 'aria-current': isCurrent ? 'step' : undefined, 'data-complete': isComplete }, step),
      ),
    ),
    h('button', { type: 'button', onClick: next }, 'Next'),
    h('button', { type: 'button', onClick: back }, 'Back'),
    h('output', null, error?.name),
  )
}

const app = h(SessionProvider, { session }, h(Version), h(Form))
createRoot(document.body.appendChild(document.createElement('main'))).render(h(StrictMode, null, app))
