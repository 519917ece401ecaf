import { after, before, test } from 'node:test'
import { assertRefusal } from '../support/http/envelope.ts'
import { startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const auth = (google: object, otherAuth: object = {}) => ({
  auth: { methods: ['google'], google: { clientIds: ['a-client'], ...google }, ...otherAuth },
})

test('accepts `plainNonce` only as a boolean in a provider’s registration', async () => {
  const path = 'auth.google.plainNonce'
  const refusals: [body: object, validation: Record<string, string>][] = [
    ...[
      ['true', 'string'],
      ['', 'string'],
      [1, 'number'],
      [0, 'number'],
      [null, 'null'],
      [[true], 'array'],
      [{ $ne: false }, 'object'],
    ].map(([value, type]): [object, Record<string, string>] => [
      auth({ plainNonce: value }),
      { [path]: `Expected boolean, received ${type}` },
    ]),
    [auth({ plainnonce: true }), { 'auth.google.plainnonce': 'Unrecognized key' }],
    [auth({ plain_nonce: true }), { 'auth.google.plain_nonce': 'Unrecognized key' }],
    [auth({}, { plainNonce: true }), { 'auth.plainNonce': 'Unrecognized key' }],
    [auth({}, { guest: { plainNonce: true } }), { 'auth.guest.plainNonce': 'Unrecognized key' }],
    [auth({}, { facebook: { plainNonce: true } }), { 'auth.facebook.clientIds': 'Required' }],
  ]
  await target.unchanged(async () => {
    for (const [body, validation] of refusals) {
      assertRefusal(await target.send('replaceConfiguration', { body }), 'VALIDATION_ERROR', validation)
    }
  })
})

test('ignores `plainNonce` in a sign-in or link request', async () => {
  await target.unchanged(async () => {
    for (const operation of ['signInByGoogle', 'linkGoogle'] as const) {
      const body = { ...target.bodies[operation], plainNonce: true, google: { plainNonce: true } }
      assertRefusal(await target.send(operation, { body }), 'INVALID_SOCIAL_TOKEN')
    }
  })
})
