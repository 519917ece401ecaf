import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { mountDocsPage } from './docs-page.ts'

function serve() {
  const app = Fastify()
  mountDocsPage(app, async () => '{"openapi":"3.1.0"}')
  return app
}

test('loads nothing from other hosts, and the content security policy forbids it', async () => {
  const { statusCode, headers, body } = await serve().inject('/docs')
  assert.equal(statusCode, 200)
  assert.match(String(headers['content-type']), /^text\/html/)
  assert.doesNotMatch(body, /\/\//)
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /default-src 'none'; script-src 'self';/)
  assert.match(policy, /connect-src 'none';.*sandbox allow-scripts/)
  assert.doesNotMatch(policy, /allow-same-origin/)
  assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
})

test('serves its scripts, the large ones gzipped when the browser accepts it', async () => {
  const app = serve()
  const page = await app.inject('/docs')
  const scripts = [...page.body.matchAll(/src="([^"]+)"/g)].map(([, path]) => `/${path}`)
  assert.deepEqual(scripts, ['/docs/storage.js', '/docs/scalar.js', '/docs/start.js'])
  for (const [url, content] of [
    ['/docs/scalar.js', /createApiReference/],
    ['/docs/start.js', /content = \{"openapi":"3\.1\.0"\}/],
  ] as const) {
    const ask = (encoding: string) => app.inject({ url, headers: { 'accept-encoding': encoding } })
    const [packed, plain] = await Promise.all([ask('gzip, br'), ask('br, gzip;q=0')])
    assert.equal(packed.headers['content-encoding'], 'gzip', url)
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.ok(plain.rawPayload.equals(gunzipSync(packed.rawPayload)))
    assert.match(plain.body, content)
    for (const { headers } of [packed, plain]) {
      assert.match(String(headers['content-type']), /^text\/javascript/)
      assert.equal(headers['vary'], 'Accept-Encoding')
    }
  }
})

test('loads its document again once that has failed', async () => {
  const app = Fastify()
  const documents = [() => Promise.reject(new Error('no memory left')), () => Promise.resolve('{}')]
  mountDocsPage(app, () => documents.shift()!())
  const ask = async () => (await app.inject('/docs/start.js')).statusCode
  assert.deepEqual([await ask(), await ask(), await ask()], [500, 200, 200])
})
