import { after, before, test } from 'node:test'
import { assertRefusal } from '../support/envelope.ts'
import { eachField, optional } from './fields.ts'
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

test('a value of another type is refused by its type and never coerced; no message goes out (threat A10) (threat A11)', async () => {
  await target.unchanged(() =>
    eachField(async (operation, field, kind) => {
      for (const [value, type] of wrongTypes) {
        const message = kind === 'enum' ? 'Invalid enum value' : `Expected string, received ${type}`
        assertRefusal(await target.send(operation, withField(operation, field, value)), 'VALIDATION_ERROR', {
          [field]: message,
        })
      }
    }),
  )
})

test('a required field that is missing is Required, whatever else is there (threat A11)', async () => {
  await target.unchanged(() =>
    eachField(async (operation, field) => {
      if (optional.has(`${operation} ${field}`)) return
      const { [field]: _left, ...rest } = target.bodies[operation]
      assertRefusal(await target.send(operation, { body: rest }), 'VALIDATION_ERROR', { [field]: 'Required' })
    }),
  )
})

test('an enum is compared to the letter (threat A11)', async () => {
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

test('numbers that a double cannot hold are numbers still, and no string (threat A11)', async () => {
  await target.unchanged(async () => {
    for (const number of ['1e400', '-1e400', '1E-400', '9007199254740993', '-0', '9'.repeat(400)]) {
      const body = `{"id":${number},"scope":"reset_password"}`
      assertRefusal(await target.send('resendOtp', { body }), 'VALIDATION_ERROR', {
        id: 'Expected string, received number',
      })
    }
  })
})

test('an empty string is too short wherever text is wanted, and no address', async () => {
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

test('a body of choices is judged by its method alone: fields of the others are ignored, its own are wanted', async () => {
  const everything = { email: 'victim@example.com', password: 'long enough', token: 'x', idToken: 'x', nonce: 'x' }
  const wanted = {
    password: { email: 'Required', password: 'Required' },
    otp: { token: 'Required' },
    google: { idToken: 'Required' },
  }
  await target.unchanged(async () => {
    for (const [method, validation] of Object.entries(wanted)) {
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

test('several wrong fields are told at once, each with its own message', async () => {
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
