import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parsePostgresUrl } from './postgres-url.ts'

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

test('certificates are verified unless every host is this machine, or the URL says otherwise', async () => {
  const ca = join(tmpdir(), `ca-${process.pid}.pem`)
  await writeFile(ca, 'a certificate')
  const ssl = (rest: string) => parsePostgresUrl(`postgres://user:secret@${rest}`).ssl
  assert.equal(ssl('localhost/t'), false)
  assert.equal(ssl('127.0.0.1:1,[::1]:2/t'), false)
  assert.deepEqual(ssl('127.0.0.1,db/t'), { rejectUnauthorized: true })
  assert.deepEqual(ssl('localhost/t?sslmode=verify-full'), { rejectUnauthorized: true })
  assert.deepEqual(ssl('db/t?sslmode=require'), { rejectUnauthorized: false })
  assert.equal(ssl('db/t?sslmode=disable'), false)
  assert.deepEqual(ssl(`db/t?sslrootcert=${ca}`), { rejectUnauthorized: true, ca: 'a certificate' })
  const { checkServerIdentity, ...rest } = ssl('db/t?sslmode=verify-ca') as { checkServerIdentity(): undefined }
  assert.deepEqual(rest, { rejectUnauthorized: true })
  assert.equal(checkServerIdentity(), undefined)
})

test('a wrong URL is refused in words that never repeat the password', () => {
  const wrong: Record<string, RegExp> = {
    'postgres:user:secret': /must look like/,
    'postgres://user:secret@db:70000/t': /host "db:70000"/,
    'postgres://user:secret@db:0/t': /host "db:0"/,
    'postgres://user:secret@/t': /host ""/,
    'postgres://user:secret@db,/t': /host ""/,
    'postgres://user:secret@::1/t': /host/,
    'postgres://db/t': /names no user/,
    'postgres://user:secret@db': /names no database/,
    'postgres://user:secret@db/': /names no database/,
    'postgres://user:secret@db/t?sslmode=prefer': /sslmode=prefer; known are disable, require/,
    'postgres://user:secret@db/t?options=x': /parameter options/,
    'postgres://user:sec%ret@db/t': /percent/,
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
