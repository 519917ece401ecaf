import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const patch = (body: object | string) => target.send('updateProfile', { body })
const notMet = 'Validation rule not met'

/** Asserts that each value is refused with this message and one detail, and that nothing is stored. */
async function refused(field: string, message: string, values: unknown[], rule?: string): Promise<void> {
  await target.unchanged(async () => {
    for (const value of values) {
      const answer = await patch({ fullName: 'Eve', [field]: value })
      assertRefusal(answer, 'VALIDATION_ERROR', { [field]: message })
      const { error } = answer.json() as { error: { details: Record<string, { rule: string }> } }
      if (rule !== undefined) assert.equal(error.details[field]?.rule, rule, JSON.stringify(value))
    }
  })
}

test('refuses what is not a code, whatever it looks like (threat E02)', async () => {
  const never = [
    '__proto__',
    'toString',
    ' ',
    '*',
    "' OR 1=1",
    '../etc/passwd',
    'x'.repeat(60_000),
    '💥',
    'ＦＲ',
    '\u202e',
  ]
  await refused('homeCountry', notMet, [...never, 'fr', 'FRA', 'UK', 'ZZ'], 'format')
  await refused('homeCountry', notMet, ['DE'], 'in')
  await refused('spoken', notMet, [...never, 'FR', 'pt_BR', 'en-', `en-x-${'a-'.repeat(29_000)}a`], 'format')
  await refused('pays', notMet, [...never, 'eur', 'DEM', 'EURO'], 'format')
  await refused('zone', notMet, [...never, '+02:00', 'europe/paris', 'GMT+2', 'Etc/GMT+99', 'Mars/Base'], 'format')
  await refused('since', 'Invalid date format', [...never, '2024-13', '２０２４-01'], 'format')
  await refused('sprint', 'Invalid date format', [...never, '2021-W53', '2024-W1'], 'format')
})

test('refuses NUL and lone surrogates in every text, also inside objects and lists (threat A13) (threat A14)', async () => {
  for (const text of ['FR\0', '\ud800', '\udfff\ud800']) {
    for (const field of ['homeCountry', 'spoken', 'pays', 'zone', 'since', 'sprint']) {
      await refused(field, 'Invalid string', [text], 'characters')
    }
    await refused('person', 'Invalid string', [{ given: text }], 'characters')
    await refused('home', 'Invalid string', [{ line1: text }], 'characters')
    await refused('terms', 'Invalid string', [{ accepted: true, version: text }], 'characters')
    await refused('mails', 'Invalid string', [['ada@example.com', text]], 'characters')
  }
})

test('refuses parts of other types and huge ones (threat E02) (threat E04)', async () => {
  for (const [part, type] of [
    [7, 'number'],
    [null, 'null'],
    [true, 'boolean'],
    [['x'], 'array'],
    [{}, 'object'],
  ]) {
    await refused('person', `Expected string, received ${type}`, [{ given: part }], 'type')
    await refused('home', `Expected string, received ${type}`, [{ country: part }], 'type')
    await refused('terms', `Expected string, received ${type}`, [{ accepted: true, version: part }], 'type')
    if (type !== 'boolean')
      await refused('terms', `Expected boolean, received ${type}`, [{ accepted: part, version: '2' }], 'type')
  }
  await refused('person', notMet, [{ given: 'x'.repeat(60_000) }], 'maxLength')
  await refused('home', notMet, [{ postalCode: 'x'.repeat(201) }], 'maxLength')
  await refused('home', notMet, [{ country: 'fr' }, { country: '__proto__' }], 'format')
  await refused('person', notMet, [{}, { given: '' }, { family: 'Eve' }, { Given: 'Eve' }], 'requiredParts')
  await refused('terms', notMet, [{}, { accepted: true }, { version: '2' }], 'requiredParts')
  await refused('terms', notMet, [{ accepted: true, version: '1' }], 'version')
  await refused('mails', notMet, [['x'], [''], [7], [['ada@example.com']], [{}]], 'items')
})

test('stores known parts only, and pollutes no prototype (threat A05)', async () => {
  const home = '{"__proto__":{"city":"x"},"constructor":{"prototype":{"polluted":1}},"city":"Ulm","line9":{"a":[1]}}'
  assert.deepEqual(assertSuccess(await patch(`{"home":${home}}`), 200)['home'], { city: 'Ulm' })
  const hollow = '{"__proto__":{"city":"x"}}'
  assert.equal(assertSuccess(await patch(`{"home":${hollow}}`), 200)['home'], null)
  const parts = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`part${index}`, 'x']))
  assert.deepEqual(assertSuccess(await patch({ person: { ...parts, given: 'Ada' } }), 200)['person'], { given: 'Ada' })
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
})

test('stamps a consent itself', async () => {
  const sent = { accepted: true, version: '2', at: '1999-01-01T00:00:00.000Z', by: 'operator' }
  const first = assertSuccess(await patch({ terms: sent }), 200)['terms'] as { at: string }
  assert.deepEqual(Object.keys(first), ['accepted', 'version', 'at'])
  assert.ok(Date.parse(first.at) > Date.parse('2020-01-01'))
  assert.deepEqual(assertSuccess(await patch({ terms: sent }), 200)['terms'], first)
  assert.deepEqual(assertSuccess(await patch({ terms: first }), 200)['terms'], first)
})

test('returns accepted values exactly', async () => {
  const values = {
    ...{
      homeCountry: 'JP',
      spoken: 'zh-Hant',
      pays: 'JPY',
      zone: 'Asia/Kolkata',
      since: '0001-01',
      sprint: '2020-W53',
    },
    person: { given: '<img src=x>', nativeScript: '山田' },
    mails: ['ada@example.com', 'ada@example.com'],
  }
  assert.partialDeepStrictEqual(assertSuccess(await patch(values), 200), values)
})
