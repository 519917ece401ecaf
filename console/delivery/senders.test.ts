import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedSecret } from '../../contract/senders/sender-kind.ts'
import { destinationOf, type Sender, senderOf, typesFor, valuesOf } from './senders.ts'

const stored: Sender = {
  ...({ type: 'smtp', name: 'main', host: 'smtp.example.com', port: 465 } as const),
  ...{ secure: true, user: 'apikey', password: maskedSecret },
}

test('never puts a secret into a form, and keeps the stored one while its field is empty', () => {
  const values = valuesOf(stored)
  assert.equal(values['password'], '')
  assert.deepEqual(senderOf('smtp', values, stored), stored)
  assert.deepEqual(senderOf('smtp', { ...values, password: 'new' }, stored), { ...stored, password: 'new' })
})

test('keeps a secret that is not saved yet when the form is opened again', () => {
  const typed = senderOf('smtp', { ...valuesOf(stored), password: 'new' }, stored)
  const again = valuesOf(typed)
  assert.equal(again['password'], '')
  assert.deepEqual(senderOf('smtp', { ...again, port: '587' }, typed), { ...stored, password: 'new', port: 587 })
})

test('leaves out what is empty, and reads numbers', () => {
  const values = { host: ' smtp.example.com ', port: '587', user: '', name: '' }
  assert.deepEqual(senderOf('smtp', values), { type: 'smtp', host: 'smtp.example.com', port: 587 })
  assert.deepEqual(senderOf('smtp', { host: 'h', port: 'abc' }), { type: 'smtp', host: 'h', port: 'abc' })
})

test('another type keeps nothing of the settings before', () => {
  const values = { url: 'https://a.example/send', secret: 'whsec_x' }
  assert.deepEqual(senderOf('http', values, stored), { type: 'http', ...values })
})

test('knows the types of a channel and where a sender sends to', () => {
  assert.deepEqual(
    [typesFor('email'), typesFor('sms')],
    [
      ['smtp', 'http'],
      ['twilio', 'http'],
    ],
  )
  assert.equal(destinationOf(stored), 'smtp.example.com:465')
  assert.equal(destinationOf({ type: 'smtp', host: 'smtp.example.com' }), 'smtp.example.com:587')
  const account = { type: 'twilio', accountSid: 'AC1', authToken: maskedSecret } as const
  assert.equal(destinationOf({ ...account, from: '+15005550006' }), '+15005550006')
  assert.equal(destinationOf({ ...account, messagingServiceSid: 'MG1' }), 'MG1')
  assert.equal(destinationOf(account), 'AC1')
})
