import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NoticeKind } from '../../../contract/tenants/delivery-templates.ts'
import { carriesCode, mayCarryUndo, templateKindOf, templateKinds } from './message-kinds.ts'

test('the kinds that always carry a code are the scopes; two notices may carry an undo code', () => {
  assert.deepEqual(templateKinds.filter(carriesCode), [
    'email_verification',
    'phone_verification',
    'reset_password',
    'otp_signin',
  ])
  const notices = templateKinds.filter((kind) => !carriesCode(kind))
  assert.deepEqual(notices, NoticeKind.options)
  assert.deepEqual(templateKinds.filter(mayCarryUndo), ['email_changed', 'phone_changed'])
})

test('an OTP has the text of its scope, a notice its own', () => {
  assert.equal(templateKindOf({ kind: 'otp', scope: 'reset_password' }), 'reset_password')
  assert.equal(templateKindOf({ kind: 'password_changed', scope: null }), 'password_changed')
  assert.equal(templateKindOf({ kind: 'email_changed', scope: null }), 'email_changed')
  assert.equal(templateKindOf({ kind: 'otp', scope: null }), null)
})
