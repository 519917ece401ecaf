import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createAuthority, selfSignedCertificate } from '../../../../test/support/peers/certificate.ts'
import { parsePostgresUrl } from './postgres-url.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenantry-url-'))
after(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const authority = selfSignedCertificate('an authority').cert
const ca = file('ca.pem', `An authority\n${authority}`)
const client = createAuthority('Of clients').issue('user')
const cert = file('client.crt', client.cert)
const key = file('client.key', client.key)
const shown = `sslcert=${cert}&sslkey=${key}`

test('hosts, ports, and what is percent-encoded', () => {
  const { ssl: _ssl, ...url } = parsePostgresUrl('postgres://us%40er:p%3Aw%2F@db1,db2:5433,[::1]:5434/ten%20antry')
  assert.deepEqual(url, {
    hosts: [
      { host: 'db1', port: 5432 },
      { host: 'db2', port: 5433 },
      { host: '::1', port: 5434 },
    ],
    user: 'us@er',
    password: 'p:w/',
    database: 'ten antry',
  })
})

test('a folder of a Unix socket, with its port, is one host without TLS', () => {
  const { hosts, ssl } = parsePostgresUrl('postgres://user@/t?host=/var/run/postgresql')
  assert.deepEqual([hosts, ssl], [[{ host: '/var/run/postgresql', port: 5432 }], false])
  assert.deepEqual(parsePostgresUrl('postgres://user@/t?host=%2Frun&port=5433&sslmode=disable').hosts, [
    { host: '/run', port: 5433 },
  ])
  const wrong: Record<string, RegExp> = {
    'host=db': /has a host=… that is not one folder of a Unix socket: write host=\/var\/run\/postgresql$/,
    'host=/a&host=/b': /has a host=… that is not one folder/,
    'host=/a&port=0': /has a port=… that is not one number from 1 to 65535$/,
    'host=/a&sslmode=require': /has sslmode, but there is no TLS on a Unix socket: leave it out$/,
    'host=/a&user=x': /has user, but/,
  }
  for (const [query, message] of Object.entries(wrong)) {
    assert.throws(() => parsePostgresUrl(`postgres://user@/t?${query}`), message)
  }
  assert.throws(() => parsePostgresUrl('postgres://user@db/t?host=/a'), /^Error: has the parameter host; known are/)
})

test('certificates are verified unless every host is this machine, or the URL says otherwise', () => {
  const trusting = { rejectUnauthorized: true, ca: `An authority\n${authority}` }
  const ssl = (rest: string) => parsePostgresUrl(`postgres://user:secret@${rest}`).ssl
  assert.equal(ssl('localhost/t'), false)
  assert.equal(ssl('127.0.0.1:1,[::1]:2/t'), false)
  assert.deepEqual(ssl('127.0.0.1,db/t'), { rejectUnauthorized: true })
  assert.deepEqual(ssl('localhost/t?sslmode=verify-full'), { rejectUnauthorized: true })
  assert.deepEqual(ssl('db/t?sslmode=require'), { rejectUnauthorized: false })
  assert.equal(ssl('db/t?sslmode=disable'), false)
  for (const host of ['db', 'localhost']) assert.deepEqual(ssl(`${host}/t?sslrootcert=${ca}`), trusting)
  const verifyCa = ssl(`db/t?sslmode=verify-ca&sslrootcert=${ca}`)
  const { checkServerIdentity, ...rest } = verifyCa as { checkServerIdentity(): undefined }
  assert.deepEqual(rest, trusting)
  assert.equal(checkServerIdentity(), undefined)
})

test('a wrong URL is refused in words that never repeat the password', () => {
  const wrong: Record<string, RegExp> = {
    'postgres:user:secret': /must look like/,
    'postgres://user:secret@db:70000/t': /no host as number 1/,
    'postgres://user:secret@db:0/t': /no host as number 1/,
    'postgres://user:secret@/t': /no host as number 1/,
    'postgres://user:secret@db,/t': /no host as number 2/,
    'postgres://user:secret@::1/t': /no host/,
    'postgres://user:secret/t': /no host/,
    'postgres://user:my/secret@db/t': /an @ too many: write @ \/ % of the user or password as %40 %2F %25/,
    'postgres://user:my@secret@db/t': /an @ too many/,
    'postgres://user:my/own?secret@db/t': /an @ too many/,
    'postgres://db/t': /names no user/,
    'postgres://user:secret@db': /names no database/,
    'postgres://user:secret@db/': /names no database/,
    'postgres://user:secret@db/t?sslmode=prefer': /sslmode=prefer; known are disable, require/,
    'postgres://user:secret@db/t?sslmode=toString': /sslmode=toString; known are disable, require/,
    'postgres://user:secret@db/t?options=x':
      /has the parameter options; known are sslmode, sslrootcert, sslcert, sslkey/,
    'postgres://user:sec%ret@db/t': /percent/,
    'postgres://user:secret@db/t?sslmode=disable&sslmode=verify-full': /has sslmode twice/,
    [`postgres://user:secret@db/t?sslmode=require&sslrootcert=${ca}`]: /sslmode=require does not look at/,
    [`postgres://user:secret@db/t?sslmode=disable&sslrootcert=${ca}`]: /sslmode=disable does not look at/,
    'postgres://user:secret@db/t?sslmode=verify-ca': /verify-ca, but no sslrootcert/,
    'postgres://user:secret@db/t?sslrootcert=none.pem': /sslrootcert=none\.pem, which cannot be read \(ENOENT\)/,
    [`postgres://user:secret@db/t?sslrootcert=${file('key.pem', 'a key')}`]:
      /key\.pem, which has no certificate in PEM/,
  }
  for (const [url, message] of Object.entries(wrong)) {
    assert.throws(
      () => parsePostgresUrl(url),
      (error: Error) => {
        assert.match(error.message, message, url)
        assert.doesNotMatch(error.message, /secret|sec%ret/, url)
        return true
      },
    )
  }
})

test('a certificate is shown under every mode but disable, and naming one asks for TLS', () => {
  const ssl = (rest: string) => parsePostgresUrl(`postgres://user@${rest}&${shown}`).ssl
  for (const host of ['db', 'localhost']) {
    assert.deepEqual(ssl(`${host}/t?`), { rejectUnauthorized: true, ...client })
    assert.deepEqual(ssl(`${host}/t?sslmode=require`), { rejectUnauthorized: false, ...client })
  }
  const verifyCa = ssl(`db/t?sslmode=verify-ca&sslrootcert=${ca}`)
  const { checkServerIdentity: _identity, ...rest } = verifyCa as { checkServerIdentity(): undefined }
  assert.deepEqual(rest, { rejectUnauthorized: true, ca: `An authority\n${authority}`, ...client })
})

test('a certificate that cannot be shown is refused in words that quote nothing of its files', () => {
  const lock = { format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const
  const locked = (name: string, type: 'pkcs8' | 'sec1') =>
    file(name, createPrivateKey(client.key).export({ type, ...lock }) as string)
  const another = file('another.key', createAuthority('Of others').issue('user').key)
  const encrypted =
    /\.key, which is encrypted: name a file with the key in clear \(openssl pkey -in \S+\.key -out <file>\)$/
  const wrong: Record<string, RegExp> = {
    [`sslcert=${cert}`]: /^has sslcert, but no sslkey: name the file of its key too$/,
    [`sslkey=${key}`]: /^has sslkey, but no sslcert: name the file of its certificate too$/,
    [`sslmode=disable&${shown}`]: /^has an sslcert that sslmode=disable does not look at: write verify-full$/,
    [`sslmode=disable&sslkey=${key}`]: /^has an sslkey that sslmode=disable does not look at/,
    [`sslcert=none.crt&sslkey=${key}`]: /^has sslcert=none\.crt, which cannot be read \(ENOENT\)$/,
    [`sslcert=${cert}&sslkey=${folder}`]: /^has sslkey=\S+, which cannot be read \(EISDIR\)$/,
    [`sslcert=${key}&sslkey=${key}`]: /^has sslcert=\S+\.key, which has no certificate in PEM$/,
    [`sslcert=${cert}&sslkey=${cert}`]: /^has sslkey=\S+\.crt, which has no private key in PEM$/,
    [`sslcert=${cert}&sslkey=${another}`]:
      /^has sslkey=\S+another\.key, which is not the key of sslcert=\S+client\.crt$/,
    [`sslcert=${cert}&sslkey=${locked('pkcs8.key', 'pkcs8')}`]: encrypted,
    [`sslcert=${cert}&sslkey=${locked('sec1.key', 'sec1')}`]: encrypted,
  }
  for (const [parameters, message] of Object.entries(wrong)) {
    assert.throws(
      () => parsePostgresUrl(`postgres://user@localhost/t?${parameters}`),
      (error: Error) => {
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /-----|[A-Za-z0-9+]{40}/)
        return true
      },
    )
  }
})

test('a password in a file is read anew each time, but for the newline at its end', () => {
  const path = file('password', 'first \n')
  const { password } = parsePostgresUrl('postgres://user@db/t', path)
  assert.ok(typeof password === 'function')
  assert.equal(password(), 'first ')
  file('password', 'second\r\n')
  assert.equal(password(), 'second')
  rmSync(path)
  assert.throws(password, { message: `TENANTRY_DATABASE_PASSWORD_FILE: ${path} cannot be read (ENOENT)` })
})
