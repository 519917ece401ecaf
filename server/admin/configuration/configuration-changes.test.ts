import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretFields, senderKinds } from '../../../contract/senders/delivery-senders.ts'
import { TenantModules } from '../../../contract/tenants/tenant-modules.ts'
import { configurationChanges } from './configuration-changes.ts'

const canary = 'canary'

// biome-ignore lint/suspicious/noExplicitAny: schemas of every type.
type Schema = any

/** A value with every setting of a schema; each text is the canary. */
function complete(schema: Schema): unknown {
  const { type, innerType, shape, element, valueType, options, values, entries } = schema.def
  if (innerType !== undefined) return complete(innerType)
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, complete(member)]))
    case 'array':
      return (
        senderOptions(element)?.map((option: Schema) => ({
          ...(complete(option) as object),
          name: option.def.shape.type.def.values[0],
        })) ?? [complete(element)]
      )
    case 'record':
      return { fr: complete(valueType) }
    case 'literal':
      return values[0]
    case 'enum':
      return Object.values(entries)[0]
    case 'boolean':
      return true
    case 'number':
      return 1
    default:
      assert.ok(options === undefined, `a union that is not a list of senders: decide what an event shows of it`)
      return canary
  }
}

const senderOptions = (schema: Schema): Schema[] | undefined => schema.def.options

const everything = complete(TenantModules) as Record<string, unknown>
const shownIn = (changes: NonNullable<ReturnType<typeof configurationChanges>>) =>
  Object.keys(changes).filter((path) => Object.keys(changes[path]!).length > 0)

test('shows values of these settings and of no other, of all that the modules have', () => {
  const added = configurationChanges({}, everything, [])!
  const removed = configurationChanges(everything, {}, [])!
  assert.doesNotMatch(JSON.stringify([added, removed]), /canary/)
  assert.deepEqual(shownIn(added), shownIn(removed))
  // A new line here is a decision: nothing that is free text, names a person or opens anything may be shown.
  assert.deepEqual(shownIn(added).sort(), [
    'auth.apple.plainNonce',
    'auth.facebook.plainNonce',
    'auth.google.plainNonce',
    'auth.guest.idleDays',
    'auth.methods',
    'delivery.email.http.type',
    'delivery.email.smtp.port',
    'delivery.email.smtp.secure',
    'delivery.email.smtp.type',
    'delivery.sms.http.type',
    'delivery.sms.twilio.type',
    'delivery.smsDailyBudget',
    'events.days',
    'events.detail',
    'events.operatorDays',
    'events.profileValues',
    'otp.length',
    'otp.maxResends',
    'otp.maxVerifyAttempts',
    'otp.resendIntervalSeconds',
    'otp.ttlSeconds',
    'security.enumerationProtection',
    'security.freshSeconds',
    'security.passwordBlocklist',
    'upload.maxSize',
  ])
})

test('shows no secret of a sender', () => {
  const changes = configurationChanges({}, everything, [])!
  for (const { type, methods, secrets } of senderKinds) {
    assert.deepEqual(secretFields({ type }), secrets)
    for (const method of methods) {
      for (const field of secrets)
        assert.deepEqual(changes[`delivery.${method}.${type}.${field}`], {}, `${type} ${field}`)
    }
  }
})

test('shows nothing of a module of the tenant', () => {
  const before = { loyalty: { tier: 1, enabled: true } }
  const after = { loyalty: { tier: 2, enabled: false } }
  assert.deepEqual(configurationChanges(before, after, []), { loyalty: {} })
})

test('names a list whose order changes, and modules alone when too many settings change', () => {
  const [one, two] = ['one', 'two'].map((name) => ({ type: 'http', name, url: 'https://sms.example.com' }))
  const ordered = (sms: unknown[]) => ({ delivery: { sms } })
  assert.deepEqual(configurationChanges(ordered([one, two]), ordered([two, one]), []), { 'delivery.sms': {} })
  const texts = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`l${index}`, { text: 'x' }]))
  const templates = { delivery: { templates: { otp_signin: { sms: texts } } } }
  assert.deepEqual(configurationChanges({}, templates, []), { 'delivery.templates': {} })
})

test('finds no change between equal configurations in another order of members', () => {
  assert.equal(
    configurationChanges({ otp: { length: 6, ttlSeconds: 60 } }, { otp: { ttlSeconds: 60, length: 6 } }, []),
    null,
  )
})
