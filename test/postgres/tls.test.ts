import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createAuthority } from '../support/peers/certificate.ts'
import { startStallingProxy } from '../support/stalling-proxy.ts'
import { until } from '../support/until.ts'
import { isRefused, pool, seen, startTlsServer, type TlsServer } from './tls-server.ts'
import { sslRequest, startImpostor, startTlsTerminator } from './tls-terminator.ts'

const ours = createAuthority('Our authority')
const theirs = createAuthority('Their authority')
/** Its certificate is for `localhost`, by our authority. */
let node: TlsServer
let folder: string
/** Parameters that name the file of an authority. */
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
  return (await connections.use(seen)).ssl
}

const refuses = (hosts: string, parameters: string, why: RegExp) => isRefused(urlOf(hosts, parameters), why)

const at = (host: string, { port }: { readonly port: number } = node) => `${host}:${port}`
const untrusted = /not from a trusted authority .*; set sslrootcert=<file> in the URL/
const misnamed = /does not match certificate's altnames.*; use the host name of the certificate in the URL/
const withoutTls = /does not support TLS; enable TLS there, or use sslmode=disable in a private network/

test('by an authority that is trusted and for the name: encrypted, under every mode but disable', async () => {
  for (const mode of ['verify-full', 'verify-ca']) {
    assert.equal(await connects(at('localhost'), `sslmode=${mode}&${trustOurs}`), true, mode)
  }
  assert.equal(await connects(at('localhost'), 'sslmode=require'), true)
  assert.equal(await connects(at('localhost'), 'sslmode=disable'), false)
})

test('an authority that is not trusted is refused by whichever mode verifies', async () => {
  await refuses(at('localhost'), 'sslmode=verify-full', untrusted)
  await refuses(at('localhost'), `sslmode=verify-full&${trustTheirs}`, untrusted)
  await refuses(at('localhost'), `sslmode=verify-ca&${trustTheirs}`, untrusted)
  await using namesake = await startTlsTerminator(createAuthority('Our authority').issue('localhost'), node.port)
  await refuses(at('localhost', namesake), `sslmode=verify-full&${trustOurs}`, untrusted)
})

test('another name is refused by verify-full alone', async () => {
  await refuses(at('127.0.0.1'), `sslmode=verify-full&${trustOurs}`, misnamed)
  assert.equal(await connects(at('127.0.0.1'), `sslmode=verify-ca&${trustOurs}`), true)
  assert.equal(await connects(at('127.0.0.1'), 'sslmode=require'), true)
})

test('without a mode: in clear to this machine unless an authority is named, verified everywhere else', async () => {
  assert.equal(await connects(at('localhost'), ''), false)
  assert.equal(await connects(at('localhost'), trustOurs), true)
  await refuses(at('127.0.0.1'), trustOurs, misnamed)
  // It leads here, but is none of the names by which that is known.
  const elsewhere = at('LOCALHOST')
  await refuses(elsewhere, '', untrusted)
  assert.equal(await connects(elsewhere, trustOurs), true)
})

test('of several hosts each is verified by its own name, and an address is not asked for as a name', async () => {
  await using addressed = await startTlsTerminator(ours.issue('127.0.0.1'), node.port)
  await connects(`${at('127.0.0.1')},${at('127.0.0.1', addressed)}`, trustOurs)
  assert.deepEqual(addressed.names, [])
  assert.match(String(await addressed.heard()), /pg_stat_ssl/)
  assert.equal(await connects(`${at('localhost', addressed)},${at('localhost')}`, trustOurs), true)
  assert.deepEqual(addressed.names, ['localhost'])
  const neither = `${at('localhost', addressed)},${at('127.0.0.1')}`
  await refuses(neither, trustOurs, /localhost:\d+: .*altnames.*; 127\.0\.0\.1:\d+: .*altnames/)
})

test('who shows a certificate that is not trusted is told nothing', async () => {
  await using impostor = await startTlsTerminator(theirs.issue('localhost'), node.port)
  await refuses(at('localhost', impostor), trustOurs, untrusted)
  assert.deepEqual(impostor.names, ['localhost'])
  assert.equal(String(await impostor.heard()), '')
  await connects(at('localhost', impostor), 'sslmode=require')
  assert.match(String(await impostor.heard()), /not-to-be-told/, 'so it is heard what there is to hear')
})

test('a server without TLS is refused by every mode but disable', async () => {
  await node.set('ssl', 'off')
  try {
    await refuses(at('localhost'), 'sslmode=require', withoutTls)
    await refuses(at('localhost'), trustOurs, withoutTls)
    assert.equal(await connects(at('localhost'), 'sslmode=disable'), false)
  } finally {
    await node.set('ssl', 'on')
  }
})

test('nothing is said in clear but the request for TLS, whatever is answered', async () => {
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
    assert.deepEqual(await impostor.heard(), sslRequest)
  }
})

test('an answer that does not come over TLS breaks the connection; the next one is encrypted; none is left', async () => {
  await using proxy = await startStallingProxy(node.port)
  const connections = pool(urlOf(at('localhost', proxy), trustOurs), 500)
  await connections.use(async (connection) => {
    proxy.stall()
    await assert.rejects(connection.execute('SELECT 1'), { name: 'ResponseTimeout' })
    assert.ok(connection.broken)
  })
  proxy.flow()
  assert.equal((await connections.use(seen)).ssl, true)
  await connections.close()
  const left = "SELECT 1 FROM pg_stat_activity WHERE usename = 'tenantry'"
  await until(async () => (await node.ask(left)).length === 0)
})
