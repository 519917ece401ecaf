import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCommonPassword } from './common-passwords.ts'

test('finds the most common leaked passwords, case-insensitively', () => {
  for (const password of `password 12345678 123456789 1234567890 qwertyui qwertyuiop password1 password123 iloveyou
    11111111 00000000 87654321 88888888 aaaaaaaa 1q2w3e4r 1qaz2wsx qwerty123 abc12345 admin123 welcome1 Welcome123!
    PASSWORD Password1 P@ssw0rd Summer2024! winter2025 sunshine princess football trustno1 12341234 abababab asdfghjkl
    19901990 liverpool1 letmein123 changeme qwerty12345 йцукенгш`.split(/\s+/)) {
    assert.equal(isCommonPassword(password), true, password)
  }
})

test('does not find passwords that only contain a common one or are shorter than 8', () => {
  for (const password of [
    '',
    '1234567',
    'qwerty',
    'password and more',
    'xpassword1',
    'correct horse battery',
    'tK7#vq9Lw2',
    ' password',
  ]) {
    assert.equal(isCommonPassword(password), false, password)
  }
})
