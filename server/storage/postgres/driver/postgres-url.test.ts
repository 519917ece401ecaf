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

test('reads hosts, ports and percent-encoded parts', () => {
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

test('reads the directory of a Unix socket as one host without TLS', () => {
  const { hosts, ssl } = parsePostgresUrl('postgres://user@/t?host=/var/run/postgresql')
  assert.deepEqual([hosts, ssl], [[{ host: '/var/run/postgresql', port: 5432 }], false])
  assert.deepEqual(parsePostgresUrl('postgres://user@/t?host=%2Frun&port=5433&sslmode=disable').hosts, [
    { host: '/run', port: 5433 },
  ])
  const wrong: Record<string, RegExp> = {
    'host=db': /has a host parameter that is not a Unix socket directory; use host=\/var\/run\/postgresql$/,
    'host=/a&host=/b': /has a host parameter that is not a Unix socket directory/,
    'host=/a&port=0': /has an invalid port parameter; use a number from 1 to 65535$/,
    'host=/a&sslmode=require': /has sslmode, but Unix sockets have no TLS; remove it$/,
    'host=/a&user=x': /has user, but/,
  }
  for (const [query, message] of Object.entries(wrong)) {
    assert.throws(() => parsePostgresUrl(`postgres://user@/t?${query}`), message)
  }
  assert.throws(
    () => parsePostgresUrl('postgres://user@db/t?host=/a'),
    /^Error: has unknown parameter host; supported: /,
  )
})

test('verifies certificates unless every host is this machine or the URL disables it', () => {
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

test('refuses an invalid URL without repeating the password', () => {
  const wrong: Record<string, RegExp> = {
    'postgres:user:secret': /must have the form/,
    'postgres://user:secret@db:70000/t': /invalid host number 1/,
    'postgres://user:secret@db:0/t': /invalid host number 1/,
    'postgres://user:secret@/t': /invalid host number 1/,
    'postgres://user:secret@db,/t': /invalid host number 2/,
    'postgres://user:secret@::1/t': /invalid host/,
    'postgres://user:secret/t': /invalid host/,
    'postgres://user:my/secret@db/t': /an unescaped @, \/ or % in the user or password; write %40, %2F or %25/,
    'postgres://user:my@secret@db/t': /an unescaped @/,
    'postgres://user:my/own?secret@db/t': /an unescaped @/,
    'postgres://db/t': /has no user/,
    'postgres://user:secret@db': /has no database/,
    'postgres://user:secret@db/': /has no database/,
    'postgres://user:secret@db/t?sslmode=prefer': /unknown sslmode=prefer; use one of disable, require/,
    'postgres://user:secret@db/t?sslmode=toString': /unknown sslmode=toString; use one of disable, require/,
    'postgres://user:secret@db/t?options=x':
      /has unknown parameter options; supported: sslmode, sslrootcert, sslcert, sslkey/,
    'postgres://user:sec%ret@db/t': /percent/,
    'postgres://user:secret@db/t?sslmode=disable&sslmode=verify-full': /has duplicate parameter sslmode/,
    [`postgres://user:secret@db/t?sslmode=require&sslrootcert=${ca}`]:
      /has sslrootcert, which has no effect with sslmode=require; use sslmode=verify-full/,
    [`postgres://user:secret@db/t?sslmode=disable&sslrootcert=${ca}`]:
      /has sslrootcert, which has no effect with sslmode=disable/,
    'postgres://user:secret@db/t?sslmode=verify-ca': /verify-ca without sslrootcert/,
    'postgres://user:secret@db/t?sslrootcert=none.pem': /sslrootcert=none\.pem, which cannot be read \(ENOENT\)/,
    [`postgres://user:secret@db/t?sslrootcert=${file('key.pem', 'a key')}`]:
      /key\.pem, which does not contain a PEM certificate/,
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

test('presents a client certificate in every mode but disable, and turns TLS on for it', () => {
  const ssl = (rest: string) => parsePostgresUrl(`postgres://user@${rest}&${shown}`).ssl
  for (const host of ['db', 'localhost']) {
    assert.deepEqual(ssl(`${host}/t?`), { rejectUnauthorized: true, ...client })
    assert.deepEqual(ssl(`${host}/t?sslmode=require`), { rejectUnauthorized: false, ...client })
  }
  const verifyCa = ssl(`db/t?sslmode=verify-ca&sslrootcert=${ca}`)
  const { checkServerIdentity: _identity, ...rest } = verifyCa as { checkServerIdentity(): undefined }
  assert.deepEqual(rest, { rejectUnauthorized: true, ca: `An authority\n${authority}`, ...client })
})

test('refuses an unusable client certificate without quoting its files', () => {
  const lock = { format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const
  const locked = (name: string, type: 'pkcs8' | 'sec1') =>
    file(name, createPrivateKey(client.key).export({ type, ...lock }) as string)
  const another = file('another.key', createAuthority('Of others').issue('user').key)
  const encrypted = /\.key, which is encrypted; use an unencrypted key \(openssl pkey -in \S+\.key -out <file>\)$/
  const wrong: Record<string, RegExp> = {
    [`sslcert=${cert}`]: /^has sslcert, but no sslkey; set sslkey to the file of its key$/,
    [`sslkey=${key}`]: /^has sslkey, but no sslcert; set sslcert to the file of its certificate$/,
    [`sslmode=disable&${shown}`]: /^has sslcert, which has no effect with sslmode=disable; use sslmode=verify-full$/,
    [`sslmode=disable&sslkey=${key}`]: /^has sslkey, which has no effect with sslmode=disable/,
    [`sslcert=none.crt&sslkey=${key}`]: /^has sslcert=none\.crt, which cannot be read \(ENOENT\)$/,
    [`sslcert=${cert}&sslkey=${folder}`]: /^has sslkey=\S+, which cannot be read \(EISDIR\)$/,
    [`sslcert=${key}&sslkey=${key}`]: /^has sslcert=\S+\.key, which does not contain a PEM certificate$/,
    [`sslcert=${cert}&sslkey=${cert}`]: /^has sslkey=\S+\.crt, which does not contain a PEM private key$/,
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

test('reads the password file for each connection, without the newline at its end', () => {
  const path = file('password', 'first \n')
  const { password } = parsePostgresUrl('postgres://user@db/t', path)
  assert.ok(typeof password === 'function')
  assert.equal(password(), 'first ')
  file('password', 'second\r\n')
  assert.equal(password(), 'second')
  rmSync(path)
  assert.throws(password, { message: `TENANTRY_DATABASE_PASSWORD_FILE: ${path} cannot be read (ENOENT)` })
})
