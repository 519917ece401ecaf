import assert from 'node:assert/strict'
import { createServer as createPlainServer, type Server } from 'node:http'
import { createServer } from 'node:https'
import { test } from 'node:test'
import { TenantryConnectionError } from '../packages/client/src/admin.ts'
import { closeWithConnections, listenOnLoopback } from '../test/support/loopback.ts'
import { createAuthority, selfSignedCertificate } from '../test/support/peers/certificate.ts'
import { explain } from './terminal/explain.ts'
import { type } from './terminal/terminal.testkit.ts'

const commands = [
  ['tenant', 'list'],
  ['events', 'verify'],
]

/** Asserts what these commands say when TLS with a server fails. */
async function says(server: Server, advice: RegExp): Promise<void> {
  const env = {
    TENANTRY_URL: `https://127.0.0.1:${await listenOnLoopback(server)}`,
    TENANTRY_ADMIN_KEY: 'a'.repeat(32),
  }
  try {
    for (const words of commands) {
      const { exitCode, errors } = await type(words, { env })
      assert.equal(exitCode, 1, errors)
      assert.match(errors, advice)
    }
  } finally {
    await closeWithConnections(server)
  }
}

test('tells how to trust the certificate of a server', async () => {
  await says(createServer(selfSignedCertificate('127.0.0.1')), /set NODE_EXTRA_CA_CERTS to a file/)
  await says(createServer(createAuthority('Ours').issue('127.0.0.1')), /set NODE_EXTRA_CA_CERTS to a file/)
})

test('tells what a URL with https does at a server without TLS', async () => {
  await says(createPlainServer(), /If the server does not use TLS, begin --url or TENANTRY_URL with http:\/\//)
})

test('tells what to do about the host name and the validity of a certificate', () => {
  const said = (code: string) =>
    explain(new TenantryConnectionError('No response', { cause: new TypeError('fetch failed', { cause: { code } }) }))
  const hostName = 'Use a host name of its certificate in --url or TENANTRY_URL.'
  const validity = 'Renew the certificate of the server, and check the clock of this machine.'
  assert.equal(said('ERR_TLS_CERT_ALTNAME_INVALID'), `No response\n${hostName}`)
  assert.equal(said('CERT_HAS_EXPIRED'), `No response\n${validity}`)
  assert.equal(said('CERT_NOT_YET_VALID'), `No response\n${validity}`)
})
