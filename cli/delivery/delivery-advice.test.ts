import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceFor } from './delivery-advice.ts'

test('names the remedy for each kind of untrusted certificate', () => {
  const remedies: readonly (readonly [code: string, advice: RegExp])[] = [
    ['ERR_TLS_CERT_ALTNAME_INVALID', /^Use the host name in the certificate/],
    ['CERT_HAS_EXPIRED', /^Renew the certificate/],
    ['CERT_NOT_YET_VALID', /check the clock/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /NODE_EXTRA_CA_CERTS/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
  ]
  for (const [code, advice] of remedies) {
    const [first, ...rest] = adviceFor([`mail.example has a certificate that is not trusted (${code})`])
    assert.match(first!, advice, code)
    assert.equal(rest.length, 1, 'only the guide follows')
  }
})

test('names TLS, not the password, when a server takes credentials only with TLS', () => {
  const [first, ...rest] = adviceFor(['mail.example takes user name and password only with TLS (538)'])
  assert.match(first!, /^Use STARTTLS on port 587/)
  assert.equal(rest.length, 1)
})
