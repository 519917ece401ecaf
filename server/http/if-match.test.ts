import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { threadMs } from '../../test/support/thread-time.ts'
import { ServiceError } from '../core/service-error.ts'
import { readIfMatch } from './if-match.ts'

const read = (value: string | undefined) => readIfMatch({ headers: { 'if-match': value } } as unknown as FastifyRequest)

/** The revisions from 0 to 12 that a header allows. */
const allowed = (value: string): number[] =>
  Array.from({ length: 13 }, (_, revision) => revision).filter((revision) => read(value)!(revision))

test('expects nothing without the header', () => {
  assert.equal(read(undefined), undefined)
})

test('expects one of the strong tags', () => {
  const cases: Record<string, number[]> = {
    '"3"': [3],
    '"0"': [0],
    ' \t"3" ': [3],
    '"1", "3"': [1, 3],
    '"1","3" ,\t"12"': [1, 3, 12],
    ',, "1",,"3",': [1, 3],
    '"03"': [],
    '"+3"': [],
    '"3.0"': [],
    '""': [],
    '"a,b", "2"': [2],
    '"*"': [],
    '"é"': [],
  }
  for (const [value, revisions] of Object.entries(cases)) {
    assert.deepEqual(allowed(value), revisions, value)
  }
})

test('weak tags never match (RFC 9110 8.8.3.2)', () => {
  assert.deepEqual(allowed('W/"3"'), [])
  assert.deepEqual(allowed('W/"3", "4"'), [4])
})

test('* expects any revision that is stored', () => {
  assert.deepEqual(allowed('*'), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  assert.deepEqual(allowed(' * '), allowed('*'))
})

test('refuses what is not a list of entity tags', () => {
  const malformed = ['', ' ', ',', '3', '"3', '3"', "'3'", '"3" "4"', 'w/"3"', 'W/ "3"', '*, "3"', '"3", *', '"3";q=1']
  for (const value of [...malformed, '"3\u0001"', '" 3"', '"3"4', '"3"\u00a0']) {
    assert.throws(
      () => read(value),
      (error: unknown) =>
        error instanceof ServiceError &&
        error.code === 'VALIDATION_ERROR' &&
        error.details.validation?.['If-Match'] === 'Expected * or quoted revisions, such as "3"',
      JSON.stringify(value),
    )
  }
})

test('reads the longest headers in linear time', () => {
  const started = threadMs()
  assert.deepEqual(allowed(`${'"x",'.repeat(50_000)}"3"`), [3])
  assert.throws(() => read(`${' '.repeat(200_000)}x`))
  assert.throws(() => read(`${'"x"\t'.repeat(50_000)}`))
  assert.ok(threadMs() - started < 2_000)
})
