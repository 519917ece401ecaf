import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, test } from 'node:test'
import { assertRefusal } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const answerTo = (method: string, path: string, headers: [string, string][] = []): Promise<WireAnswer> =>
  send(service.baseUrl, { method, path, headers })

const pages = [
  '/docs',
  '/docs/start.js',
  '/docs/scalar.js',
  '/console',
  '/console/',
  '/console/tenants',
  '/console/a/b.js',
]

test('answers 405 with the allowed methods to every method but GET and HEAD on a page (threat A22)', async () => {
  const preflight: [string, string][] = [
    ['origin', 'https://a.example'],
    ['access-control-request-method', 'POST'],
  ]
  for (const path of pages) {
    for (const method of METHODS.filter((one) => !['CONNECT', 'GET', 'HEAD'].includes(one))) {
      for (const answer of [await answerTo(method, `${path}?a=b`), await answerTo(method, path, preflight)]) {
        assertRefusal(answer, 'METHOD_NOT_ALLOWED')
        assert.equal(answer.headers['allow'], 'GET, HEAD', `${method} ${path}`)
        assert.equal(answer.headers['access-control-allow-origin'], undefined)
      }
    }
  }
  for (const path of ['/docs', '/docs/start.js', '/console']) {
    const [read, head] = [await answerTo('GET', path), await answerTo('HEAD', path)]
    assert.deepEqual([head.status, head.text], [read.status, ''], path)
    assert.ok(read.status < 400)
  }
  for (const path of ['/docs/', '/docs/nothing.js', '/consoles', '/Console/', '/%63onsole/'])
    assertRefusal(await answerTo('POST', path), 'NOT_FOUND')
})
