import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { eachField } from './fields.ts'
import { type BodyOperation, startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const withField = (operation: BodyOperation, field: string, value: unknown) => ({
  body: { ...target.bodies[operation], [field]: value },
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

test('treats SQL and template metacharacters as an unknown id (threat A12)', async () => {
  await target.unchanged(async () => {
    for (const text of injections) {
      for (const operation of ['resendOtp', 'verifyOtp', 'getOtpStatus'] as const) {
        assertRefusal(await target.send(operation, withField(operation, 'id', text)), 'OTP_NOT_FOUND')
      }
      assertRefusal(await target.send('confirm', withField('confirm', 'token', text)), 'OTP_NOT_FOUND')
      assertRefusal(await target.send('signUp', withField('signUp', 'token', text)), 'OTP_NOT_FOUND')
      for (const operation of ['signInByCode', 'linkCode'] as const) {
        assertRefusal(await target.send(operation, withField(operation, 'token', text)), 'OTP_NOT_FOUND')
      }
      for (const operation of ['signInByGoogle', 'linkGoogle'] as const) {
        assertRefusal(await target.send(operation, withField(operation, 'idToken', text)), 'INVALID_SOCIAL_TOKEN')
      }
      const refresh = withField('refreshSession', 'refreshToken', text)
      assertRefusal(await target.send('refreshSession', refresh), 'INVALID_REFRESH_TOKEN')
      assertRefusal(await target.send('signIn', withField('signIn', 'password', text)), 'INVALID_CREDENTIALS')
      const change = withField('changePassword', 'currentPassword', text)
      assertRefusal(await target.send('changePassword', change), 'INVALID_CREDENTIALS')
      const phone = { phone: 'Validation rule not met' }
      assertRefusal(
        await target.send('changePhone', withField('changePhone', 'phone', text)),
        'VALIDATION_ERROR',
        phone,
      )
      const email = { email: 'Invalid email' }
      assertRefusal(await target.send('challenge', withField('challenge', 'email', text)), 'VALIDATION_ERROR', email)
      assertRefusal(await target.send('signIn', withField('signIn', 'email', text)), 'VALIDATION_ERROR', email)
    }
  })
})

test('rejects a token longer than the maximum before parsing it', async () => {
  const longest = { idToken: 8192, nonce: 512, refreshToken: 512 }
  const places = [
    ['signInByGoogle', 'idToken'],
    ['signInByGoogle', 'nonce'],
    ['linkGoogle', 'idToken'],
    ['linkGoogle', 'nonce'],
    ['refreshSession', 'refreshToken'],
  ] as const
  await target.unchanged(async () => {
    for (const [operation, field] of places) {
      const tooLong = withField(operation, field, 'x'.repeat(longest[field] + 1))
      const message = `String must contain at most ${longest[field]} character(s)`
      assertRefusal(await target.send(operation, tooLong), 'VALIDATION_ERROR', { [field]: message })
      const code = operation === 'refreshSession' ? 'INVALID_REFRESH_TOKEN' : 'INVALID_SOCIAL_TOKEN'
      assertRefusal(await target.send(operation, withField(operation, field, 'x'.repeat(longest[field]))), code)
    }
  })
})

test('treats a wildcard in an address as a literal character (threat A12)', async () => {
  await target.unchanged(async () => {
    for (const email of ['%@example.com', 'victi_@example.com', 'v%@example.com', "victim'--@example.com"]) {
      assertRefusal(
        await target.send('challenge', { body: { step: 'challenge', email } }),
        'RESET_PASSWORD_USER_NOT_FOUND',
      )
    }
  })
})

test('rejects NUL and lone surrogates in every text field (threat A13) (threat A14)', async () => {
  const malformed = [
    'a\\u0000b-and-more',
    '\\u0000',
    '\\ud800-and-more',
    '\\udc00\\ud800-and-more',
    'long enough \\udfff',
  ]
  await target.unchanged(() =>
    eachField(async (operation, field, kind) => {
      if (kind === 'enum') return
      for (const escaped of malformed) {
        const body = JSON.stringify({ ...target.bodies[operation], [field]: '@' }).replace(
          `"${field}":"@"`,
          `"${field}":"${escaped}"`,
        )
        assertRefusal(await target.send(operation, { body }), 'VALIDATION_ERROR', { [field]: 'Invalid string' })
      }
    }),
  )
})

test('ignores NUL and lone surrogates in unknown keys and their values (threat A13) (threat A14)', async () => {
  const body = '{"\\u0000":"\\u0000","\\ud800":"\\ud800","nickname":"ada"}'
  const profile = assertSuccess(await target.send('updateProfile', { body }), 200)
  assert.equal(profile['nickname'], 'ada')
})

test('counts an astral character as one character, escaped or not (threat A13) (threat A14)', async () => {
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
