import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal, assertSuccess } from '../envelope.ts'
import { type BodyOperation, startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

/** Every field of an operation with what it holds: free text, an address, or one of a list. */
const fields: Partial<Record<BodyOperation, Record<string, 'text' | 'email' | 'enum'>>> = {
  resendOtp: { id: 'text', scope: 'enum' },
  challenge: { step: 'enum', email: 'email' },
  confirm: { step: 'enum', token: 'text', password: 'text' },
  issueOtp: { scope: 'enum', email: 'email', phone: 'text' },
  verifyOtp: { id: 'text', scope: 'enum', code: 'text' },
  getOtpStatus: { id: 'text', scope: 'enum' },
  signUp: { method: 'enum', email: 'email', password: 'text', token: 'text' },
  signIn: { method: 'enum', email: 'email', password: 'text' },
  createTenant: { name: 'text' },
}

async function eachField(
  attack: (operation: BodyOperation, field: string, kind: 'text' | 'email' | 'enum') => Promise<void>,
): Promise<void> {
  for (const [operation, kinds] of Object.entries(fields)) {
    for (const [field, kind] of Object.entries(kinds)) await attack(operation as BodyOperation, field, kind)
  }
}

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

test('A10, A11: a value of another type is refused by its type and never coerced; no message goes out', async () => {
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

test('A11: a required field that is missing is Required, whatever else is there', async () => {
  await target.unchanged(() =>
    eachField(async (operation, field) => {
      if (['issueOtp email', 'issueOtp phone', 'signUp token'].includes(`${operation} ${field}`)) return
      const { [field]: _left, ...rest } = target.bodies[operation]
      assertRefusal(await target.send(operation, { body: rest }), 'VALIDATION_ERROR', { [field]: 'Required' })
    }),
  )
})

test('A11: an enum is compared to the letter', async () => {
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

test('A11: numbers that a double cannot hold are numbers still, and no string', async () => {
  await target.unchanged(async () => {
    for (const number of ['1e400', '-1e400', '1E-400', '9007199254740993', '-0', '9'.repeat(400)]) {
      const body = `{"id":${number},"scope":"reset_password"}`
      assertRefusal(await target.send('resendOtp', { body }), 'VALIDATION_ERROR', {
        id: 'Expected string, received number',
      })
    }
  })
})

const injections = [
  "' OR 1=1--",
  '"; DROP TABLE otps;--',
  '%',
  '_',
  '$1',
  '{{7*7}}',
  '../../etc/passwd',
  '*',
  '\\',
  '\r\nBcc: evil@example.com',
  '%00',
  'null',
  '0',
]

test('A12: what means something to a database is an unknown id like any other', async () => {
  await target.unchanged(async () => {
    for (const text of injections) {
      for (const operation of ['resendOtp', 'verifyOtp', 'getOtpStatus'] as const) {
        assertRefusal(await target.send(operation, withField(operation, 'id', text)), 'OTP_NOT_FOUND')
      }
      assertRefusal(await target.send('confirm', withField('confirm', 'token', text)), 'OTP_NOT_FOUND')
      assertRefusal(await target.send('signUp', withField('signUp', 'token', text)), 'OTP_NOT_FOUND')
      assertRefusal(await target.send('signIn', withField('signIn', 'password', text)), 'INVALID_CREDENTIALS')
      const email = { email: 'Invalid email' }
      assertRefusal(await target.send('challenge', withField('challenge', 'email', text)), 'VALIDATION_ERROR', email)
      assertRefusal(await target.send('signIn', withField('signIn', 'email', text)), 'VALIDATION_ERROR', email)
    }
  })
})

test('A12: a wildcard in an address is a letter of it', async () => {
  await target.unchanged(async () => {
    for (const email of ['%@example.com', 'victi_@example.com', 'v%@example.com', "victim'--@example.com"]) {
      assertRefusal(
        await target.send('challenge', { body: { step: 'challenge', email } }),
        'RESET_PASSWORD_USER_NOT_FOUND',
      )
    }
  })
})

test('A13, A14: NUL and lone surrogates are refused in every text', async () => {
  const unsound = [
    'a\\u0000b-and-more',
    '\\u0000',
    '\\ud800-and-more',
    '\\udc00\\ud800-and-more',
    'long enough \\udfff',
  ]
  await target.unchanged(() =>
    eachField(async (operation, field, kind) => {
      if (kind === 'enum') return
      for (const escaped of unsound) {
        const body = JSON.stringify({ ...target.bodies[operation], [field]: '@' }).replace(
          `"${field}":"@"`,
          `"${field}":"${escaped}"`,
        )
        assertRefusal(await target.send(operation, { body }), 'VALIDATION_ERROR', { [field]: 'Invalid string' })
      }
    }),
  )
})

test('A13, A14: in keys and in values of ignored keys they are nobody’s business', async () => {
  const body = '{"\\u0000":"\\u0000","\\ud800":"\\ud800","nickname":"ada"}'
  const profile = assertSuccess(await target.send('updateProfile', { body }), 200)
  assert.equal(profile['nickname'], 'ada')
})

test('A13, A14: an astral character is a character, and escaped or not it is the same', async () => {
  await target.unchanged(async () => {
    assertRefusal(
      await target.send('confirm', { body: { step: 'confirm', token: 'x', password: '💥💥💥💥' } }),
      'VALIDATION_ERROR',
      {
        password: 'String must contain at least 8 character(s)',
      },
    )
    for (const password of ['💥'.repeat(8), '💥'.repeat(1024)]) {
      assertRefusal(await target.send('confirm', { body: { step: 'confirm', token: 'x', password } }), 'OTP_NOT_FOUND')
    }
    assertRefusal(
      await target.send('confirm', { body: { step: 'confirm', token: 'x', password: '💥'.repeat(1025) } }),
      'VALIDATION_ERROR',
      {
        password: 'String must contain at most 1024 character(s)',
      },
    )
    const escaped =
      '{"step":"confirm","token":"x","password":"\\ud83d\\udca5\\ud83d\\udca5\\ud83d\\udca5\\ud83d\\udca5"}'
    assertRefusal(await target.send('confirm', { body: escaped }), 'VALIDATION_ERROR', {
      password: 'String must contain at least 8 character(s)',
    })
  })
})

test('an empty string is too short wherever text is wanted, and no address', async () => {
  const minimum: Record<string, number> = { 'confirm password': 8, 'signUp password': 8 }
  await target.unchanged(() =>
    eachField(async (operation, field, kind) => {
      if (kind === 'enum' || field === 'phone') return
      const atLeast = `String must contain at least ${minimum[`${operation} ${field}`] ?? 1} character(s)`
      const answer = await target.send(operation, withField(operation, field, ''))
      assertRefusal(answer, 'VALIDATION_ERROR', { [field]: kind === 'email' ? 'Invalid email' : atLeast })
    }),
  )
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
