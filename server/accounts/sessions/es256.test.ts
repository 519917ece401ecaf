import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { signEs256 } from './es256.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const header = { alg: 'ES256', typ: 'at+jwt', kid: 'a key' }
const claims = { sid: 'S', amr: ['pwd', 'ötp'], guest: false, iss: 'https://"a"/é', aud: 'T', iat: 1 }

test('signs the bytes that a JWT library signs, and it accepts the signature', async () => {
  const token = signEs256(header, claims, privateKey)
  const theirs = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
  assert.equal(token.slice(0, token.lastIndexOf('.')), theirs.slice(0, theirs.lastIndexOf('.')))
  const { payload, protectedHeader } = await jwtVerify(token, publicKey, { algorithms: ['ES256'] })
  assert.deepEqual({ ...payload }, claims)
  assert.deepEqual({ ...protectedHeader }, header)
})

test('signatures are 64 bytes, also with leading zeros in r or s', () => {
  const leadingZeros = { r: 0, s: 0 }
  for (let iat = 0; iat < 4_000; iat++) {
    const token = signEs256(header, { iat }, privateKey)
    const dot = token.lastIndexOf('.')
    const signature = Buffer.from(token.slice(dot + 1), 'base64url')
    assert.equal(signature.length, 64)
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    assert.ok(verify('sha256', Buffer.from(token.slice(0, dot)), key, signature), token)
    if (signature[0] === 0) leadingZeros.r++
    if (signature[32] === 0) leadingZeros.s++
  }
  // Each is expected 16 times; none has a probability of one in six million.
  assert.ok(leadingZeros.r > 0 && leadingZeros.s > 0)
})
