import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type } from '../../cli/terminal/terminal.testkit.ts'
import { type Certificate, createAuthority } from '../support/peers/certificate.ts'
import { isRefused, pool, startTlsServer, type TlsServer, tlsStateOf } from './tls-server.ts'
import { startTlsTerminator } from './tls-terminator.ts'

const ours = createAuthority('Our authority')
const theirs = createAuthority('Their authority')
/** Accepts `tenantry` and `another` by certificates of our authority, and `careful` by certificate and password. */
let node: TlsServer
let folder: string
let trustOurs: string

const access = `
hostssl all tenantry,another 127.0.0.1/32 cert
hostssl all careful 127.0.0.1/32 scram-sha-256 clientcert=verify-ca
host all postgres 127.0.0.1/32 password`

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-client-certificate-'))
  await writeFile(join(folder, 'ours.pem'), ours.cert)
  trustOurs = `sslmode=verify-ca&sslrootcert=${join(folder, 'ours.pem')}`
  node = await startTlsServer(ours.issue('localhost'))
  await node.ask('CREATE ROLE tenantry LOGIN CREATEROLE; CREATE ROLE another LOGIN')
  await node.ask("CREATE ROLE careful LOGIN PASSWORD 'not-to-be-told'")
  await node.ask('CREATE DATABASE tenantry OWNER tenantry')
  await node.write({ 'clients.crt': ours.cert, 'pg_hba.conf': access })
  await node.set('ssl_ca_file', 'clients.crt')
})
after(async () => {
  await node.remove()
  await rm(folder, { recursive: true })
})

/** Writes a certificate and its key to files; returns the URL parameters that name them. */
async function parametersFor({ cert, key }: Certificate): Promise<string> {
  const files = await mkdtemp(join(folder, 'shown-'))
  await Promise.all([writeFile(join(files, 'client.crt'), cert), writeFile(join(files, 'client.key'), key)])
  return `sslcert=${join(files, 'client.crt')}&sslkey=${join(files, 'client.key')}`
}

const urlOf = (user: string, hosts: string, parameters: string) => `postgres://${user}@${hosts}/tenantry?${parameters}`
const at = (host: string, { port }: { readonly port: number } = node) => `${host}:${port}`

/** Asserts that the server sees this name in the certificate of a connection and of its replacement. */
async function isIdentifiedAs(name: string, url: string): Promise<void> {
  await using connections = pool(url)
  for (const _ of ['first', 'second']) {
    await connections.use(async (connection) => {
      assert.deepEqual(await tlsStateOf(connection), { ssl: true, client_dn: `/CN=${name}` })
      connection.close()
    })
  }
}

const unshown = /requires a client certificate; set sslcert=<file>&sslkey=<file> in the URL/

test('a certificate for the user replaces the password, by host name and by address', async () => {
  const shown = await parametersFor(ours.issue('tenantry'))
  await isIdentifiedAs('tenantry', urlOf('tenantry', at('localhost'), `${trustOurs}&${shown}`))
  await isIdentifiedAs('tenantry', urlOf('tenantry', at('127.0.0.1'), `${trustOurs}&${shown}`))
  await isIdentifiedAs('tenantry', urlOf('tenantry', at('localhost'), `sslmode=require&${shown}`))
})

test('presents a certificate with its chain, and together with a password', async () => {
  const { cert, key } = ours.issue('anybody')
  const shown = await parametersFor({ cert: `${cert}${ours.cert}`, key })
  await isIdentifiedAs('anybody', urlOf('careful:not-to-be-told', at('localhost'), `${trustOurs}&${shown}`))
  await isRefused(urlOf('careful:not-to-be-told', at('localhost'), trustOurs), unshown)
  await isRefused(
    urlOf('careful:not-to-be-told-so', at('localhost'), `${trustOurs}&${shown}`),
    /password authentication/,
  )
})

test('without a certificate the error names the URL parameters, for a server and for a TLS terminator', async () => {
  await isRefused(urlOf('tenantry', at('localhost'), trustOurs), unshown)
  const demanding = { requestCert: true, rejectUnauthorized: true }
  await using pooler = await startTlsTerminator({ ...ours.issue('localhost'), ...demanding }, node.port)
  await isRefused(urlOf('tenantry', at('localhost', pooler), trustOurs), unshown)
})

test('a certificate of another authority, or for another user, is refused with the reason', async () => {
  const foreign = await parametersFor(theirs.issue('tenantry'))
  const untaken =
    /rejected the client certificate \(unknown ca\); set sslcert=<file>&sslkey=<file> to a valid certificate/
  await isRefused(urlOf('tenantry', at('localhost'), `${trustOurs}&${foreign}`), untaken)
  await node.set('ssl_max_protocol_version', 'TLSv1.2')
  await isRefused(urlOf('tenantry', at('localhost'), `${trustOurs}&${foreign}`), untaken)
  await node.set('ssl_max_protocol_version', '')
  const shown = await parametersFor(ours.issue('tenantry'))
  const misaddressed =
    /failed for user "another"; the common name of the client certificate must be the user, or be mapped to it/
  await isRefused(urlOf('another', at('localhost'), `${trustOurs}&${shown}`), misaddressed)
})

test('uses the host that accepts the certificate; if none does, the error gives the reason for each', async () => {
  await using impostor = await startTlsTerminator(theirs.issue('localhost'), node.port)
  const shown = await parametersFor(ours.issue('tenantry'))
  const hosts = `${at('localhost', impostor)},${at('127.0.0.1')}`
  await isIdentifiedAs('tenantry', urlOf('tenantry', hosts, `${trustOurs}&${shown}`))
  await isRefused(
    urlOf('tenantry', hosts, trustOurs),
    /localhost:\d+: .*not from a trusted authority.*; 127\.0\.0\.1:\d+: The server requires/,
  )
})

test('copies a database to a server that requires a client certificate', async () => {
  const [from, shown] = [`sqlite:${join(folder, 'from.db')}`, await parametersFor(ours.issue('tenantry'))]
  assert.equal((await type(['migrate', '--database', from], {})).errors, '')
  const to = urlOf('tenantry', at('localhost'), `${trustOurs}&${shown}`)
  const copied = await type(['copy', '--from', from, '--to', to], {})
  assert.match(copied.output, /Copied; source and target are identical/)
})
