import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterFile } from '../../../test/support/runner/after-file.ts'
import { ServiceError } from '../../core/service-error.ts'
import { mountConsole } from './console.ts'

const script = 'console.log("a script")\n'.repeat(20)
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-console-'))
  await build(folder)
})
afterFile(() => rm(folder, { recursive: true }))

/** As `console/build.mjs` leaves it. */
async function build(into: string): Promise<void> {
  await mkdir(join(into, 'assets'), { recursive: true })
  await mkdir(join(into, '.vite'), { recursive: true })
  await cp(join(import.meta.dirname, '../../../console/public'), into, { recursive: true })
  await writeFile(join(into, '.vite/manifest.json'), '{}')
  await writeFile(join(into, '.sources'), 'a hash')
  await writeFile(join(into, 'assets/main-abc123.js'), script)
  await writeFile(join(into, 'assets/main-abc123.js.br'), brotliCompressSync(script))
  await writeFile(join(into, 'assets/inter-abc123.woff2'), 'a font')
  await writeFile(join(into, 'before-paint.js'), 'let before')
  await writeFile(
    join(into, 'index.html'),
    '<!doctype html><meta property="csp-nonce" nonce="…"><title>Tenantry</title>',
  )
}

function serve(from = folder) {
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => reply.code(error instanceof ServiceError ? 404 : 500).send())
  mountConsole(app, from)
  return app
}

const policyOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['content-security-policy'])

test('answers the page with its policy, at every path of a screen', async () => {
  const app = serve()
  for (const path of ['/console/', '/console/tenants', '/console/tenants/01M7YRGZYW2J52A5KJS9MX3J3Z/users?q=a.b']) {
    const answer = await app.inject(path)
    assert.equal(answer.statusCode, 200, path)
    const [, nonce = ''] = /<meta property="csp-nonce" nonce="([^"]+)">/.exec(answer.body) ?? []
    assert.equal(Buffer.from(nonce, 'base64').length, 16)
    assert.deepEqual(policyOf(answer).split('; '), [
      ...["default-src 'none'", "script-src 'self'", `style-src 'self' 'nonce-${nonce}'`, "img-src 'self' data:"],
      ...["font-src 'self'", "connect-src 'self'", "frame-src 'self'", "base-uri 'none'", "form-action 'none'"],
      ...["frame-ancestors 'none'", "require-trusted-types-for 'script'", 'trusted-types default'],
    ])
    const { 'content-type': type, 'cache-control': cache, ...headers } = answer.headers
    assert.deepEqual([type, cache], ['text/html; charset=utf-8', 'no-store'])
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    assert.equal(headers['permissions-policy'], 'camera=(), microphone=(), geolocation=()')
  }
})

test('makes a new nonce for each answer', async () => {
  const app = serve()
  const bodies = await Promise.all(Array.from({ length: 20 }, async () => (await app.inject('/console/')).body))
  assert.equal(new Set(bodies).size, 20)
})

test('leads from /console to the page', async () => {
  const { statusCode, headers } = await serve().inject('/console')
  assert.deepEqual([statusCode, headers.location], [308, '/console/'])
})

test('serves assets compressed where accepted, for ever', async () => {
  const app = serve()
  const ask = (encoding: string) =>
    app.inject({ url: '/console/assets/main-abc123.js', headers: { 'accept-encoding': encoding } })
  const compressed = await ask('gzip, deflate, br, zstd')
  assert.equal(compressed.headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(compressed.rawPayload).toString(), script)
  for (const encoding of ['gzip', 'br;q=0', 'gzip, br; q=0.0, *', '']) {
    const plain = await ask(encoding)
    assert.equal(plain.headers['content-encoding'], undefined, encoding)
    assert.equal(plain.body, script)
  }
  for (const { headers } of [compressed, await ask('')]) {
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['vary'], 'Accept-Encoding')
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
  }
  const font = await app.inject('/console/assets/inter-abc123.woff2')
  assert.deepEqual([font.headers['content-type'], font.body], ['font/woff2', 'a font'])
})

test('has files without a hash in their name asked for again', async () => {
  const app = serve()
  const { headers } = await app.inject('/console/before-paint.js')
  assert.equal(headers['cache-control'], 'no-cache')
  const etag = String(headers['etag'])
  const ask = async (tags: string) => {
    const again = await app.inject({ url: '/console/before-paint.js', headers: { 'if-none-match': tags } })
    return [again.statusCode, again.body]
  }
  for (const tags of [etag, etag.slice(2), `"x", ${etag}`, `${etag} , W/"x"`, '*'])
    assert.deepEqual(await ask(tags), [304, ''], tags)
  for (const tags of ['"x"', 'x', '', `${etag}x`, etag.toLowerCase()])
    assert.deepEqual(await ask(tags), [200, 'let before'], tags)
})

test('answers 404 for unknown files, and for what the build notes', async () => {
  const app = serve()
  const unknown = ['assets/main-old.js', 'assets/x', 'favicon.ico', '.sources', '.vite/manifest.json']
  for (const path of [
    ...unknown,
    'assets/main-abc123.js.br',
    '../build.mjs',
    '%2e%2e/build.mjs',
    'a/..%2f..%2fbuild.mjs',
  ])
    assert.equal((await app.inject(`/console/${path}`)).statusCode, 404, path)
})

test('runs no script but its own in the frame of a message, at no origin', async () => {
  const answer = await serve().inject('/console/mail-frame.html')
  const [, text = ''] = /<script>([\s\S]*?)<\/script>/.exec(answer.body) ?? []
  const hash = createHash('sha256').update(text).digest('base64')
  assert.deepEqual(policyOf(answer).split('; '), [
    ...['sandbox allow-scripts', "default-src 'none'", `script-src 'sha256-${hash}'`, "style-src 'unsafe-inline'"],
    ...['img-src data:', "base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'"],
  ])
  assert.equal(answer.headers['cache-control'], 'no-cache')
})

test('answers 503 with the command to type until the console is built, then the page', async (t) => {
  const missing = await mkdtemp(join(tmpdir(), 'tenantry-console-'))
  t.after(() => rm(missing, { recursive: true }))
  const app = serve(join(missing, 'dist'))
  for (const path of ['/console/', '/console/assets/main-abc123.js']) {
    const { statusCode, headers, body } = await app.inject(path)
    assert.equal(statusCode, 503)
    assert.match(String(headers['content-type']), /^text\/plain/)
    assert.match(body, /^ {2}npm ci$/m)
  }
  await build(join(missing, 'dist'))
  assert.equal((await app.inject('/console/')).statusCode, 200)
})

test('reads the files again once that has failed', async (t) => {
  const parent = await mkdtemp(join(tmpdir(), 'tenantry-console-'))
  t.after(() => rm(parent, { recursive: true }))
  const dist = join(parent, 'dist')
  await writeFile(dist, 'not a folder')
  const app = serve(dist)
  assert.equal((await app.inject('/console/')).statusCode, 500)
  await rm(dist)
  await build(dist)
  assert.equal((await app.inject('/console/')).statusCode, 200)
})

test('reads the files with the first request and keeps them', async (t) => {
  const copy = await mkdtemp(join(tmpdir(), 'tenantry-console-'))
  t.after(() => rm(copy, { recursive: true }))
  const app = serve(copy)
  await build(copy)
  assert.equal((await app.inject('/console/')).statusCode, 200)
  await rm(join(copy, 'assets'), { recursive: true })
  assert.equal((await app.inject('/console/assets/main-abc123.js')).body, script)
})

test('the policy of the frame names the only script of mail-frame.html', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../console/public/mail-frame.html'), 'utf8')
  assert.equal(page.split('<script').length, 2)
  assert.doesNotMatch(page, /\son\w+=/)
})
