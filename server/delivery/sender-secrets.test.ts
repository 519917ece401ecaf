import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedSecret } from '../../contract/senders/sender-kind.ts'
import { DeliveryModule } from '../../contract/tenants/tenant-modules.ts'
import { createKeyring, SealBroken } from '../secrets/keyring.ts'
import { generateMasterKeys } from '../secrets/master-keys.ts'
import { openSecrets, type SealedDelivery, type SealedSecrets, sealSecrets } from './sender-secrets.ts'

const keyring = createKeyring(generateMasterKeys(0))
const accountSid = `AC${'0123456789abcdef'.repeat(2)}`
const webhookSecret = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`

const smtp = (name: string, password?: string) => ({
  type: 'smtp',
  name,
  host: `${name}.example.com`,
  ...(password !== undefined && { user: 'apikey', password }),
})
const twilio = (authToken: string) => ({ type: 'twilio', accountSid, authToken, from: '+15005550006' })
const http = (secret: string) => ({ type: 'http', url: 'https://sms.example.com/', secret })

/** As the admin API would store it; fails the test when it is refused. */
function sealed(delivery: object, stored: SealedSecrets = {}, tenantId = 'tenant'): SealedDelivery {
  const result = sealSecrets(DeliveryModule.parse(delivery), stored, keyring, tenantId)
  if ('validation' in result) assert.fail(JSON.stringify(result.validation))
  return result
}

function refusal(delivery: object, stored: SealedSecrets = {}, tenantId = 'tenant'): Record<string, string> {
  const result = sealSecrets(DeliveryModule.parse(delivery), stored, keyring, tenantId)
  return 'validation' in result ? result.validation : assert.fail('it was taken')
}

const opened = (delivery: SealedDelivery, tenantId = 'tenant') => openSecrets(delivery, keyring, tenantId)

const full = {
  email: [smtp('first', 'password one'), smtp('second', 'password two'), http(webhookSecret)],
  sms: [twilio('auth-token-of-twilio'), http(webhookSecret)],
  defaultLocale: 'fr',
}

test('encrypts the secrets of every kind and decrypts them unchanged', () => {
  const { delivery, secrets } = sealed(full)
  const stored = JSON.stringify([delivery, secrets])
  for (const secret of ['password one', 'password two', 'auth-token-of-twilio', webhookSecret])
    assert.ok(!stored.includes(secret) && !stored.includes(Buffer.from(secret).toString('base64')))
  assert.equal(JSON.stringify(delivery).split(maskedSecret).length - 1, 5)
  assert.equal(delivery.defaultLocale, 'fr')
  const { email, sms } = opened({ delivery, secrets })
  assert.deepEqual(
    email?.map((one) => ('password' in one ? one.password : 'secret' in one && one.secret)),
    ['password one', 'password two', webhookSecret],
  )
  assert.deepEqual(
    sms?.map((one) => ('authToken' in one ? one.authToken : 'secret' in one && one.secret)),
    ['auth-token-of-twilio', webhookSecret],
  )
})

test('returns every sender with its name, so that the list can be sent back', () => {
  const { delivery } = sealed({ sms: [twilio('auth-token-of-twilio'), http(webhookSecret), http(webhookSecret)] })
  assert.deepEqual(
    delivery.sms?.map(({ name }) => name),
    ['twilio', 'http', 'http-2'],
  )
})

test('keeps the secret of a masked sender by name, in a different order and with other changes', () => {
  const before = sealed(full)
  const [first, second] = before.delivery.email!
  const changed = { ...before.delivery, email: [{ ...second, port: 2525 }, first], from: { address: 'a@example.com' } }
  const after = sealed(changed, before.secrets)
  const passwords = opened(after).email?.map((one) => one.type === 'smtp' && [one.name, one.port, one.password])
  assert.deepEqual(passwords, [
    ['second', 2525, 'password two'],
    ['first', 587, 'password one'],
  ])
})

test('replaces a secret that is set again, and deletes those of removed senders', () => {
  const before = sealed(full)
  const after = sealed({ email: [smtp('first', 'password new')] }, before.secrets)
  assert.deepEqual(Object.keys(after.secrets), ['email/smtp/first/apikey@first.example.com/password'])
  assert.deepEqual(opened(after).email, [{ ...smtp('first', 'password new'), port: 587 }])
  assert.deepEqual(refusal({ email: [smtp('second', maskedSecret)] }, after.secrets), {
    'delivery.email.0.password': 'Give the secret itself: none is stored for this sender and destination',
  })
})

test('rejects a mask by field for another name, type, method or tenant', () => {
  const { secrets } = sealed({ email: [smtp('mine', 'password one')], sms: [http(webhookSecret)] })
  const delivery = {
    email: [smtp('mine', maskedSecret), smtp('other', maskedSecret), http(maskedSecret)],
    sms: [twilio(maskedSecret), http(maskedSecret)],
  }
  assert.deepEqual(Object.keys(refusal(delivery, secrets)), [
    'delivery.email.1.password',
    'delivery.email.2.secret',
    'delivery.sms.0.authToken',
  ])
})

test('decrypts no secret for another tenant or sender', () => {
  const { delivery, secrets } = sealed({ email: [smtp('one', 'password one'), smtp('two', 'password two')] })
  assert.throws(() => opened({ delivery, secrets }, 'another tenant'), SealBroken)
  const [one = '', two = ''] = Object.keys(secrets)
  const swapped = { [one]: secrets[two]!, [two]: secrets[one]! }
  assert.throws(() => opened({ delivery, secrets: swapped }), SealBroken)
})

test('keeps no secret for a different host, user or account', () => {
  const { secrets } = sealed(full)
  const elsewhere = [
    { ...smtp('first', maskedSecret), host: 'evil.example' },
    { ...smtp('second', maskedSecret), user: 'someone' },
    { ...http(maskedSecret), url: 'https://evil.example/' },
  ]
  assert.equal(Object.keys(refusal({ email: elsewhere }, secrets)).length, 3)
  const account = { ...twilio(maskedSecret), accountSid: `AC${'f'.repeat(32)}` }
  assert.deepEqual(Object.keys(refusal({ sms: [account] }, secrets)), ['delivery.sms.0.authToken'])
})

test('accepts a sender without credentials', () => {
  const { delivery, secrets } = sealed({ email: [smtp('open')] })
  assert.deepEqual(secrets, {})
  assert.deepEqual(opened({ delivery, secrets }), { email: [{ ...smtp('open'), port: 587 }], smsDailyBudget: 500 })
})
