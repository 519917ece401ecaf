import assert from 'node:assert/strict'
import { test } from 'node:test'
import { realProviders } from '../identity-providers/identity-providers.ts'
import { problemsOf } from './config.testkit.ts'
import { readConfig } from './read-config.ts'

test('uses the real identity providers unless issuer and keys are both set', () => {
  const { google, apple, facebook } = readConfig({
    TENANTRY_GOOGLE_ISSUER: 'https://idp.example',
    TENANTRY_GOOGLE_JWKS_URL: 'https://idp.example/keys/',
  }).identityProviders
  assert.deepEqual(google, { issuers: ['https://idp.example'], jwksUrl: 'https://idp.example/keys/' })
  assert.deepEqual([apple, facebook], [realProviders.apple, realProviders.facebook])
  for (const name of ['GOOGLE', 'APPLE', 'FACEBOOK']) {
    const issuer = { [`TENANTRY_${name}_ISSUER`]: 'https://idp.example' }
    assert.match(problemsOf(issuer).join(), new RegExp(`^TENANTRY_${name}_JWKS_URL: set both .*, or neither$`))
    const url = { [`TENANTRY_${name}_JWKS_URL`]: 'https://idp.example/keys' }
    assert.match(problemsOf(url).join(), new RegExp(`^TENANTRY_${name}_ISSUER: set both .*, or neither$`))
    const wrong = { ...issuer, [`TENANTRY_${name}_JWKS_URL`]: 'file:///keys' }
    assert.match(problemsOf(wrong).join(), new RegExp(`^TENANTRY_${name}_JWKS_URL: must be a URL`))
  }
})

test('production refuses keys of identity providers over http, and warns of a stand-in', () => {
  const production = {
    TENANTRY_ENVIRONMENT: 'production',
    TENANTRY_ADMIN_KEY: 'an-admin-key-of-at-least-32-characters',
    TENANTRY_MASTER_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    TENANTRY_PUBLIC_URL: 'https://accounts.example.com',
    TENANTRY_APPLE_ISSUER: 'https://account.apple.com',
  }
  const withKeys = (url: string) => ({ ...production, TENANTRY_APPLE_JWKS_URL: url })
  assert.match(
    problemsOf(withKeys('http://10.0.0.9/keys')).join('\n'),
    /^TENANTRY_APPLE_JWKS_URL: must begin with https:\/\/ in production, .*$/,
  )
  for (const url of ['https://idp.example/keys', 'http://127.0.0.1:9000/keys']) {
    assert.match(readConfig(withKeys(url)).warnings.join('\n'), /^TENANTRY_APPLE_JWKS_URL: not the provider's; .*$/)
  }
  assert.deepEqual(readConfig(withKeys(realProviders.apple.jwksUrl)).warnings, [])
  assert.deepEqual(readConfig({ ...withKeys('http://10.0.0.9/keys'), TENANTRY_ENVIRONMENT: 'staging' }).warnings, [])
})
