import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { assertRefusal } from '../support/http/envelope.ts'
import { send } from '../support/http/wire.ts'
import { startTestService, type TestService } from '../support/service.ts'

const browser: [string, string] = ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8']

const ask = ({ baseUrl }: Pick<TestService, 'baseUrl'>, method = 'GET', path = '/', headers = [browser]) =>
  send(baseUrl, { method, path, headers })

const linksOf = (page: string) => [...page.matchAll(/<a href="([^"]*)">/g)].map(([, path]) => path!)

test('answers a browser at / with links to pages that exist', async () => {
  await using service = await startTestService()
  const { status, headers, text } = await ask(service)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  const links = linksOf(text)
  assert.deepEqual(links, ['console/', 'docs', 'console/code-inbox'])
  for (const link of links) assert.notEqual((await ask(service, 'GET', `/${link}`)).status, 404)
})

test('a separate listener for operators links the console, and the other does not mention it', async () => {
  await using service = await startTestService({ separateAdmin: true })
  const clients = (await ask(service)).text
  assert.deepEqual(linksOf(clients), ['docs'])
  assert.doesNotMatch(clients, /console|operator/i)
  const operators = await ask({ baseUrl: service.adminUrl })
  assert.deepEqual(linksOf(operators.text), ['console/', 'console/code-inbox'])
})

test('the page loads nothing and runs nothing', async () => {
  await using service = await startTestService()
  const { headers, text } = await ask(service)
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = headers['content-security-policy'] ?? ''
  assert.deepEqual(policy.split('; '), [
    ...["default-src 'none'", `style-src 'sha256-${hash}'`, 'img-src data:', "base-uri 'none'", "form-action 'none'"],
    "frame-ancestors 'none'",
  ])
  assert.doesNotMatch(text, /<script|style="|https?:|src=/)
})

test('in production links no inbox and names no version', async () => {
  await using service = await startTestService({ environment: 'production' })
  const { text } = await ask(service)
  assert.deepEqual(linksOf(text), ['console/', 'docs'])
  assert.doesNotMatch(text, /\d+\.\d+\.\d+|inbox/i)
})

test('answers anything else at / with 404, and the page nowhere else', async () => {
  await using service = await startTestService()
  for (const accept of ['*/*', 'application/json', ''])
    assertRefusal(await ask(service, 'GET', '/', [['accept', accept]]), 'NOT_FOUND')
  assertRefusal(await ask(service, 'GET', '/', []), 'NOT_FOUND')
  for (const method of ['POST', 'OPTIONS', 'DELETE']) assertRefusal(await ask(service, method), 'NOT_FOUND')
  for (const path of ['/?a', '//', '/nothing']) assertRefusal(await ask(service, 'GET', path), 'NOT_FOUND')
  const head = await ask(service, 'HEAD')
  assert.deepEqual([head.status, head.text], [200, ''])
})
