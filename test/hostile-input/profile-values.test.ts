import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { schemaOfEveryKind, startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const patch = (body: object | string) => target.send('updateProfile', { body })

/** Asserts that each value is rejected with this message and that the valid field next to it is not stored. */
async function refused(field: string, message: string, values: unknown[]): Promise<void> {
  await target.unchanged(async () => {
    for (const value of values) {
      assertRefusal(await patch({ fullName: 'Eve', [field]: value }), 'VALIDATION_ERROR', { [field]: message })
    }
  })
}

/** Takes numbers as JSON text, because JavaScript cannot represent all of them. */
async function refusedAsWritten(field: string, message: string, numbers: string[]): Promise<void> {
  await target.unchanged(async () => {
    for (const number of numbers) {
      const answer = await patch(`{"fullName":"Eve","${field}":${number}}`)
      assertRefusal(answer, 'VALIDATION_ERROR', { [field]: message })
    }
  })
}

const notMet = 'Validation rule not met'

test('rejects a number that has no exact representation instead of rounding it (threat A16)', async () => {
  const inexact = [
    '1e400',
    '-1e400',
    '1E-400',
    '-1e-400',
    '9007199254740993',
    '-9007199254740993',
    '9'.repeat(400),
    '1e16',
  ]
  await refusedAsWritten('height', notMet, inexact)
  await refusedAsWritten('children', notMet, inexact)
  await refusedAsWritten('children', 'Expected integer, received float', ['0.5', '-1.000001', '1e-1'])
})

test('names the bound that a number outside the exact range violates', async () => {
  const ruleOf = async (body: string): Promise<unknown> => {
    const { error } = (await patch(body)).json() as { error: { details: Record<string, unknown> } }
    return error.details
  }
  for (const large of ['1e400', '1e21', '9007199254740993']) {
    assert.deepEqual(await ruleOf(`{"height":${large},"children":-${large}}`), {
      height: { rule: 'max', max: Number.MAX_SAFE_INTEGER },
      children: { rule: 'min', min: -Number.MAX_SAFE_INTEGER },
    })
  }
})

test('stores an exactly representable number unchanged (threat A16)', async () => {
  for (const number of [
    '9007199254740991',
    '-9007199254740991',
    '0',
    '-0',
    '1.5e3',
    '0.1',
    '5e-324',
    '1e15',
    '0e400',
    '0.0',
  ]) {
    const { height } = assertSuccess(await patch(`{"height":${number}}`), 200)
    assert.equal(height, Number(number) + 0, number)
  }
})

test('reports the expected and the received type for every kind of field (threat E02)', async () => {
  const expected: Record<string, string> = {
    height: 'number',
    children: 'integer',
    newsletter: 'boolean',
    interests: 'array',
    tags: 'array',
    mails: 'array',
    ...{ person: 'object', home: 'object', terms: 'object' },
  }
  const samples = { string: 'x', number: 7, boolean: true, array: ['x'], object: { a: 1 } }
  for (const { name, writable } of schemaOfEveryKind.components) {
    if (writable === false || name === 'fullName') continue
    const fieldType = expected[name] ?? 'string'
    for (const [type, value] of Object.entries(samples)) {
      if (type === fieldType || (fieldType === 'integer' && type === 'number')) continue
      await refused(name, `Expected ${fieldType}, received ${type}`, [value])
    }
  }
})

test('reports the minimum length for a text that is too short (threat E02)', async () => {
  await refused('nickname', 'String must contain at least 2 character(s)', ['', 'x', '💥'])
  for (const field of [
    'title',
    'bio',
    'workEmail',
    'homePhone',
    'website',
    'country',
    'homeCountry',
    'spoken',
    'pays',
    'zone',
  ]) {
    await refused(field, 'String must contain at least 1 character(s)', [''])
  }
})

test('rejects dates and times that do not exist or are not ISO 8601 (threat E02)', async () => {
  const never = [
    '',
    '2024-02-30',
    '2023-02-29',
    '20240101',
    '+275760-09-14',
    '0000-01-01',
    '2024-1-1',
    '2024-13-01',
    '2024-00-10',
    '01/02/2024',
    'now',
    '2024-01-01 ',
    '２０２４-01-01',
    '1700000000',
  ]
  await refused('birthDate', 'Invalid date format', [...never, '2024-01-01T00:00:00Z'])
  await refused('nextVisit', 'Invalid date format', [
    ...never,
    '2024-01-01',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:00:60Z',
    '2024-01-01T00:00:00',
    '2024-01-01 00:00:00Z',
    '2024-02-30T00:00:00Z',
  ])
  await refused('callMeAt', 'Invalid date format', [
    '',
    '24:00',
    '12',
    '12:60',
    '12:00:60',
    '1:00',
    'T12:00',
    '12:00Z',
    '12:00 ',
  ])
})

test('reports any other broken rule with one message under the field’s name (threat E02)', async () => {
  await refused('nickname', notMet, ['x'.repeat(31), 'with space', 'ümlaut', 'new\nline', 'ada\n'])
  await refused('workEmail', notMet, [
    'x',
    'a@b@c.example',
    'a b@example.com',
    '<a@example.com>',
    'a@example.com,b@example.com',
    'a@[127.0.0.1]',
    'a@example.com\r\nBcc: b@example.com',
  ])
  await refused('homePhone', notMet, [
    '0612345678',
    '+',
    '+0',
    '+33 6 12 34 56 78',
    '+1234567890123456',
    '+٣٣٦١٢٣٤٥٦٧٨',
  ])
  await refused('country', notMet, ['FR', 'de', 'fr ', 'toString', '__proto__'])
  await refused('interests', notMet, [
    ['music', 'music'],
    ['chess'],
    [['music']],
    [7],
    [null],
    ['music', 'sports', 'music'],
  ])
  await refused('tags', notMet, [[''], [7], [null], [['x']], ['x'.repeat(257)], Array.from({ length: 101 }, () => 'x')])
  await refused('fullName', notMet, ['x'.repeat(2049)])
})

test('rejects a value that fills the body by its field’s limit (threat E04)', async () => {
  const long = 'x'.repeat(60_000)
  for (const field of ['nickname', 'title', 'bio', 'workEmail', 'homePhone', 'website', 'country'])
    await refused(field, notMet, [long])
  for (const field of ['birthDate', 'nextVisit', 'callMeAt']) await refused(field, 'Invalid date format', [long])
  for (const field of ['tags', 'interests'])
    await refused(field, notMet, [[long], Array.from({ length: 10_000 }, () => 'a')])
})

test('accepts only absolute http and https URLs without credentials (threat E07)', async () => {
  const invalid = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://example.com',
    '//example.com',
    'example.com',
    'http://',
    'https://user:pass@example.com/',
    'http:example.com',
    'http:\\\\example.com',
    ' https://example.com',
    'https://exa mple.com',
    'java\nscript:alert(1)',
    'https://example.com/\r\nx',
  ]
  await refused('website', notMet, invalid)
})
