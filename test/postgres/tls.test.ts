import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startStallingProxy } from '../support/faults/stalling-proxy.ts'
import { createAuthority } from '../support/peers/certificate.ts'
import { until } from '../support/until.ts'
import { isRefused, pool, startTlsServer, type TlsServer, tlsStateOf } from './tls-server.ts'
import { sslRequest, startImpostor, startTlsTerminator } from './tls-terminator.ts'

const ours = createAuthority('Our authority')
const theirs = createAuthority('Their authority')
/** Has a certificate of our authority for `localhost`. */
let node: TlsServer
let folder: string
/** URL parameters that name the file of an authority. */
let trustOurs: string
let trustTheirs: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-tls-'))
  const [ourFile, theirFile] = [join(folder, 'ours.pem'), join(folder, 'theirs.pem')]
  await Promise.all([writeFile(ourFile, ours.cert), writeFile(theirFile, theirs.cert)])
  trustOurs = `sslrootcert=${ourFile}`
  trustTheirs = `sslrootcert=${theirFile}`
  node = await startTlsServer(ours.issue('localhost'))
  await node.ask("CREATE ROLE tenantry LOGIN PASSWORD 'not-to-be-told'")
})
after(async () => {
  await node.remove()
  await rm(folder, { recursive: true })
})

const urlOf = (hosts: string, parameters: string) =>
  `postgres://tenantry:not-to-be-told@${hosts}/postgres?${parameters}`

/** Whether the server sees the connection encrypted. */
async function connects(hosts: string, parameters: string): Promise<boolean> {
  await using connections = pool(urlOf(hosts, parameters))
  return (await connections.use(tlsStateOf)).ssl
}

const refuses = (hosts: string, parameters: string, why: RegExp) => isRefused(urlOf(hosts, parameters), why)

const at = (host: string, { port }: { readonly port: number } = node) => `${host}:${port}`
const untrusted = /not from a trusted authority .*; set sslrootcert=<file> in the URL/
const misnamed = /does not match certificate's altnames.*; use the host name of the certificate in the URL/
const withoutTls = /does not support TLS; enable TLS there, or use sslmode=disable in a private network/

test('a valid certificate: encrypted in every mode but disable', async () => {
  for (const mode of ['verify-full', 'verify-ca']) {
    assert.equal(await connects(at('localhost'), `sslmode=${mode}&${trustOurs}`), true, mode)
  }
  assert.equal(await connects(at('localhost'), 'sslmode=require'), true)
  assert.equal(await connects(at('localhost'), 'sslmode=disable'), false)
})

test('refuses an untrusted authority in every mode that verifies', async () => {
  await refuses(at('localhost'), 'sslmode=verify-full', untrusted)
  await refuses(at('localhost'), `sslmode=verify-full&${trustTheirs}`, untrusted)
  await refuses(at('localhost'), `sslmode=verify-ca&${trustTheirs}`, untrusted)
  await using namesake = await startTlsTerminator(createAuthority('Our authority').issue('localhost'), node.port)
  await refuses(at('localhost', namesake), `sslmode=verify-full&${trustOurs}`, untrusted)
})

test('only verify-full refuses a certificate for another host name', async () => {
  await refuses(at('127.0.0.1'), `sslmode=verify-full&${trustOurs}`, misnamed)
  assert.equal(await connects(at('127.0.0.1'), `sslmode=verify-ca&${trustOurs}`), true)
  assert.equal(await connects(at('127.0.0.1'), 'sslmode=require'), true)
})

test('without a mode: unencrypted to this machine unless an authority is named, verified to other machines', async () => {
  assert.equal(await connects(at('localhost'), ''), false)
  assert.equal(await connects(at('localhost'), trustOurs), true)
  await refuses(at('127.0.0.1'), trustOurs, misnamed)
  // Resolves to this machine, but is not one of the names that count as local.
  const elsewhere = at('LOCALHOST')
  await refuses(elsewhere, '', untrusted)
  assert.equal(await connects(elsewhere, trustOurs), true)
})

test('verifies each of several hosts by its own name, and sends no SNI for an address', async () => {
  await using addressed = await startTlsTerminator(ours.issue('127.0.0.1'), node.port)
  await connects(`${at('127.0.0.1')},${at('127.0.0.1', addressed)}`, trustOurs)
  assert.deepEqual(addressed.names, [])
  assert.match(String(await addressed.received()), /pg_stat_ssl/)
  assert.equal(await connects(`${at('localhost', addressed)},${at('localhost')}`, trustOurs), true)
  assert.deepEqual(addressed.names, ['localhost'])
  const neither = `${at('localhost', addressed)},${at('127.0.0.1')}`
  await refuses(neither, trustOurs, /localhost:\d+: .*altnames.*; 127\.0\.0\.1:\d+: .*altnames/)
})

test('sends nothing to a server with an untrusted certificate', async () => {
  await using impostor = await startTlsTerminator(theirs.issue('localhost'), node.port)
  await refuses(at('localhost', impostor), trustOurs, untrusted)
  assert.deepEqual(impostor.names, ['localhost'])
  assert.equal(String(await impostor.received()), '')
  await connects(at('localhost', impostor), 'sslmode=require')
  assert.match(String(await impostor.received()), /not-to-be-told/, 'the impostor does see what is sent')
})

test('refuses a server without TLS in every mode but disable', async () => {
  await node.set('ssl', 'off')
  try {
    await refuses(at('localhost'), 'sslmode=require', withoutTls)
    await refuses(at('localhost'), trustOurs, withoutTls)
    assert.equal(await connects(at('localhost'), 'sslmode=disable'), false)
  } finally {
    await node.set('ssl', 'on')
  }
})

test('sends only the TLS request unencrypted, whatever the answer', async () => {
  const askForPassword = 'R\0\0\0\x08\0\0\0\x03'
  const answers = {
    N: withoutTls,
    [`N${askForPassword}`]: /SSL/,
    [`S${askForPassword}`]: /SSL/,
    [askForPassword]: /SSL/,
  }
  for (const [answer, message] of Object.entries(answers)) {
    await using impostor = await startImpostor(Buffer.from(answer))
    await refuses(at('localhost', impostor), 'sslmode=require', message)
    assert.deepEqual(await impostor.received(), sslRequest)
  }
})

test('a response timeout under TLS breaks the connection; the next one is encrypted; none stays open', async () => {
  await using proxy = await startStallingProxy(node.port)
  const connections = pool(urlOf(at('localhost', proxy), trustOurs), 500)
  await connections.use(async (connection) => {
    proxy.stall()
    await assert.rejects(connection.execute('SELECT 1'), { name: 'ResponseTimeout' })
    assert.ok(connection.broken)
  })
  proxy.flow()
  assert.equal((await connections.use(tlsStateOf)).ssl, true)
  await connections.close()
  const left = "SELECT 1 FROM pg_stat_activity WHERE usename = 'tenantry'"
  await until(async () => (await node.ask(left)).length === 0)
})
