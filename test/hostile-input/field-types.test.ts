import { after, before, test } from 'node:test'
import { assertRefusal } from '../support/http/envelope.ts'
import { eachField, nullable, optional } from './fields.ts'
import { type BodyOperation, startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const withField = (operation: BodyOperation, field: string, value: unknown) => ({
  body: { ...target.bodies[operation], [field]: value },
})

const wrongTypes: [value: unknown, type: string][] = [
  [['victim@example.com', 'evil@example.com'], 'array'],
  [['x'], 'array'],
  [[], 'array'],
  [{ $ne: null }, 'object'],
  [{ $gt: '' }, 'object'],
  [{}, 'object'],
  [12_345_678, 'number'],
  [true, 'boolean'],
  [null, 'null'],
]

test('rejects a value of the wrong type without coercing it or sending a message (threat A10) (threat A11)', async () => {
  await target.unchanged(() =>
    eachField(async (operation, field, kind) => {
      for (const [value, type] of wrongTypes) {
        if (value === null && nullable.has(`${operation} ${field}`)) continue
        const message = kind === 'enum' ? 'Invalid enum value' : `Expected string, received ${type}`
        assertRefusal(await target.send(operation, withField(operation, field, value)), 'VALIDATION_ERROR', {
          [field]: message,
        })
      }
    }),
  )
})

test('reports a missing required field as Required (threat A11)', async () => {
  await target.unchanged(() =>
    eachField(async (operation, field) => {
      if (optional.has(`${operation} ${field}`)) return
      const { [field]: _left, ...rest } = target.bodies[operation]
      assertRefusal(await target.send(operation, { body: rest }), 'VALIDATION_ERROR', { [field]: 'Required' })
    }),
  )
})

test('compares enum values exactly (threat A11)', async () => {
  const values = [
    '',
    'RESET_PASSWORD',
    'reset_password ',
    ' challenge',
    'Confirm',
    'toString',
    '__proto__',
    'constructor',
    '0',
    'challenge\0',
  ]
  await target.unchanged(() =>
    eachField(async (operation, field, kind) => {
      if (kind !== 'enum') return
      for (const value of values) {
        const answer = await target.send(operation, withField(operation, field, value))
        assertRefusal(answer, 'VALIDATION_ERROR', { [field]: 'Invalid enum value' })
      }
    }),
  )
})

test('reports any JSON number as a number, even outside the double range (threat A11)', async () => {
  await target.unchanged(async () => {
    for (const number of ['1e400', '-1e400', '1E-400', '9007199254740993', '-0', '9'.repeat(400)]) {
      const body = `{"id":${number},"scope":"reset_password"}`
      assertRefusal(await target.send('resendOtp', { body }), 'VALIDATION_ERROR', {
        id: 'Expected string, received number',
      })
    }
  })
})

test('rejects an empty string in every text and email field', async () => {
  const newPasswords = ['confirm password', 'signUp password', 'changePassword password', 'linkPassword password']
  await target.unchanged(() =>
    eachField(async (operation, field, kind) => {
      if (kind === 'enum' || field === 'phone') return
      const atLeast = `String must contain at least ${newPasswords.includes(`${operation} ${field}`) ? 8 : 1} character(s)`
      const answer = await target.send(operation, withField(operation, field, ''))
      assertRefusal(answer, 'VALIDATION_ERROR', { [field]: kind === 'email' ? 'Invalid email' : atLeast })
    }),
  )
})

test('requires the fields of the chosen method and ignores those of other methods', async () => {
  const everything = { email: 'victim@example.com', password: 'long enough', token: 'x', idToken: 'x', nonce: 'x' }
  const required = {
    password: { email: 'Required', password: 'Required' },
    otp: { token: 'Required' },
    google: { idToken: 'Required' },
  }
  await target.unchanged(async () => {
    for (const [method, validation] of Object.entries(required)) {
      const others = Object.entries(everything).filter(([field]) => !(field in validation) && field !== 'nonce')
      const body = { method, ...Object.fromEntries(others) }
      assertRefusal(await target.send('signIn', { body }), 'VALIDATION_ERROR', validation)
      const { email: _optional, ...linking } = validation as Record<string, string>
      assertRefusal(await target.send('linkCode', { body }), 'VALIDATION_ERROR', linking)
    }
    const guest = { method: 'guest', ...everything }
    assertRefusal(await target.send('linkCode', { body: guest }), 'VALIDATION_ERROR', { method: 'Invalid enum value' })
  })
})

test('reports every invalid field at once, each with its message', async () => {
  await target.unchanged(async () => {
    assertRefusal(
      await target.send('signUp', { body: { method: 'magic', email: 'x', password: 7, profile: [] } }),
      'VALIDATION_ERROR',
      {
        method: 'Invalid enum value',
        email: 'Invalid email',
        password: 'Expected string, received number',
        profile: 'Expected object, received array',
      },
    )
    assertRefusal(
      await target.send('confirm', { body: { step: 'confirm', email: 'victim@example.com' } }),
      'VALIDATION_ERROR',
      {
        token: 'Required',
        password: 'Required',
      },
    )
    assertRefusal(
      await target.send('challenge', { body: { step: 'challenge', token: 'x', password: 'long enough' } }),
      'VALIDATION_ERROR',
      {
        email: 'Required',
      },
    )
  })
})
