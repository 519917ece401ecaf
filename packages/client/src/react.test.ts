import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createElement as h, type ReactNode, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { TenantryClient } from './client.ts'
import { SessionProvider, useProfileForm, useSession, useTenantConfiguration } from './react.ts'
import type { Session } from './session/session.ts'

function App(): ReactNode {
  const { state, user } = useSession()
  const { configuration, error } = useTenantConfiguration()
  const form = useProfileForm({ form: 'signUp' })
  return h(
    'p',
    null,
    JSON.stringify([state.status, user, configuration, error, form.status, form.fields, form.sections]),
  )
}

test('renders on a server without a request, as a browser renders first', () => {
  const client = new Proxy({} as TenantryClient, { get: (_, name) => assert.fail(`called ${String(name)}`) })
  const session: Session = {
    client,
    // A server that holds a user's session must not send it to the browser.
    state: { status: 'signedIn', user: { id: 'ada' } as never },
    ready: () => assert.fail(),
    onChange: () => assert.fail(),
    accessToken: () => assert.fail(),
    signOut: () => assert.fail(),
    close: () => assert.fail(),
  }
  const html = renderToString(h(StrictMode, null, h(SessionProvider, { session }, h(App))))
  assert.equal(html.replaceAll('&quot;', '"'), '<p>["loading",null,null,null,"loading",[],[]]</p>')
})

test('says what to do when there is no provider', () => {
  assert.throws(() => renderToString(h(App)), /no SessionProvider around this component; add one/)
})
