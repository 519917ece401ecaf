import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { MutationObserver } from '@tanstack/react-query'
import { errors } from '../contract/errors.ts'
import { TenantryAnswerError, TenantryConnectionError, TenantryError } from '../packages/client/src/errors.ts'
import { createQueries, mayPass, readNow, showAnswer } from './queries.ts'

const refusal = (code: keyof typeof errors): TenantryError => {
  const { status, message } = errors[code]
  const failure = { meta: { requestId: 'r', timestamp: '' }, error: { code, message, status } }
  return new TenantryError(failure, status, new Headers())
}

const ofProxy = (status: number) =>
  new TenantryAnswerError(new Response(null, { status }), '', new URL('https://x.test'))

test('a service that does not answer, or cannot, is asked again', () => {
  for (const error of [
    new TenantryConnectionError('no answer'),
    refusal('SERVICE_UNAVAILABLE'),
    refusal('INTERNAL_SERVER'),
    ofProxy(502),
  ])
    assert.equal(mayPass(error), true, error.message)
})

test('a read that took half a minute is not repeated before the operator hears of it', async () => {
  let attempts = 0
  const reading = createQueries().fetchQuery({
    queryKey: ['read'],
    queryFn: () => {
      attempts++
      throw new TenantryConnectionError('no answer', { cause: new DOMException('', 'TimeoutError') })
    },
  })
  await assert.rejects(reading, TenantryConnectionError)
  assert.equal(attempts, 1)
})

test('what is stored now is not taken from a read that began earlier', async () => {
  const queries = createQueries()
  const earlier = Promise.withResolvers<string>()
  queries.fetchQuery({ queryKey: ['read'], queryFn: () => earlier.promise }).catch(() => {})
  const reading = readNow(queries, { queryKey: ['read'], queryFn: () => 'changed' })
  earlier.resolve('before')
  assert.deepEqual([await reading, queries.getQueryData(['read'])], ['changed', 'changed'])
})

test('of two reads of what is stored now, neither ends with what was shown before', async () => {
  const queries = createQueries()
  queries.setQueryData(['read'], 'before')
  const slow = Promise.withResolvers<string>()
  const first = readNow(queries, { queryKey: ['read'], queryFn: () => slow.promise })
  // It has begun.
  await turn()
  const second = readNow(queries, { queryKey: ['read'], queryFn: () => 'changed' })
  assert.deepEqual([await first, await second], ['changed', 'changed'])
})

test('what an act answers is not replaced by a read that began earlier', async () => {
  const queries = createQueries()
  const earlier = Promise.withResolvers<string>()
  const query = { queryKey: ['read'], queryFn: () => earlier.promise }
  const reading = queries.fetchQuery(query).catch(() => {})
  showAnswer(queries, query, 'changed')
  earlier.resolve('before')
  await reading
  assert.equal(queries.getQueryData(['read']), 'changed')
})

test('a damaged log, and every refusal of a request, stay as they are', () => {
  for (const code of ['EVENT_LOG_DAMAGED', 'NOT_FOUND', 'INSUFFICIENT_SCOPE', 'INVALID_ADMIN_KEY'] as const)
    assert.equal(mayPass(refusal(code)), false, code)
  assert.equal(mayPass(ofProxy(413)), false)
  assert.equal(mayPass(new Error('a mistake of the page')), false)
})

test('an answer that is shown once, such as a new key, is forgotten with its form', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const queries = createQueries()
  const form = new MutationObserver(queries, { mutationFn: async () => 'key' })
  const close = form.subscribe(() => {})
  await form.mutate()
  assert.equal(form.getCurrentResult().data, 'key')
  close()
  t.mock.timers.tick(1_000)
  assert.deepEqual(queries.getMutationCache().getAll(), [])
})
