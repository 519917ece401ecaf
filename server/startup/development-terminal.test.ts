import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Inbox, InboxEntry } from '../delivery/inbox.ts'
import { inboxContext } from '../delivery/testing-channel.ts'
import { createKeyring } from '../secrets/keyring.ts'
import { generateMasterKeys } from '../secrets/master-keys.ts'
import { createDevelopmentTerminal } from './development-terminal.ts'

const keyring = createKeyring(generateMasterKeys(0))

function entry(scope: InboxEntry['scope'], code: string | null): InboxEntry {
  const [id, tenantId, recipient] = ['m', 't', 'ada@example.com']
  const sealed = keyring.seal(JSON.stringify({ code, text: 'the text' }), inboxContext({ tenantId, id }))
  return { id, tenantId, otpId: null, scope, deliveryMethod: 'email', recipient, sealed, createdAt: 0 }
}

function watched() {
  const lines: string[] = []
  let post = (_entries: readonly InboxEntry[]) => {}
  const inbox = {
    watch(listener: typeof post) {
      post = listener
      return () => {}
    },
  } as Inbox
  const terminal = createDevelopmentTerminal(
    (line) => lines.push(line),
    () => 'http://127.0.0.1:4001',
  )
  terminal.printCodes(inbox, keyring)
  return { lines, terminal, post: (entries: readonly InboxEntry[]) => post(entries) }
}

test('prints who gets which code for what, and no message without a code', () => {
  const { lines, post } = watched()
  post([
    entry('reset_password', '123456'),
    entry('otp_signin', '1'),
    entry('email_verification', '2'),
    entry('phone_verification', '3'),
    entry(null, '4'),
    entry(null, null),
  ])
  assert.deepEqual(lines, [
    'Code for ada@example.com to reset the password: 123456',
    'Code for ada@example.com to sign in: 1',
    'Code for ada@example.com to verify the e-mail address: 2',
    'Code for ada@example.com to verify the phone number: 3',
    'Code for ada@example.com in a notice: 4',
  ])
})

test('prints at most 20 codes a second, then how many more there were', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { lines, post } = watched()
  for (let n = 0; n < 332; n++) post([entry('otp_signin', String(n))])
  assert.equal(lines.length, 20)
  t.mock.timers.tick(1_000)
  assert.equal(lines.at(-1), '… 312 more in the inbox')
  post([entry('otp_signin', '9')])
  assert.equal(lines.at(-1), 'Code for ada@example.com to sign in: 9')
  t.mock.timers.tick(1_000)
  assert.equal(lines.length, 22)
})

test('explains a page without an origin', () => {
  const { lines, terminal } = watched()
  terminal.printRefusedOrigin({ tenantId: 't', origin: 'null' })
  assert.deepEqual(lines, [
    'Refused a page of the origin null: it is not in allowedOrigins of tenant t.',
    '  Serve the page over http: a page opened as a file has no origin.',
  ])
})
