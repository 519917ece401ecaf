import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../test/support/any-text.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import type { Fact } from './event.ts'
import { type EventSource, eventOf } from './record.ts'

const now = Date.UTC(2026, 0, 1)
const someName = fc.stringMatching(/^[A-Za-z0-9"\\é]{1,12}$/)
const plain = fc.oneof(anyText(), fc.double(), fc.boolean(), fc.constant(null))
const value = fc.oneof({ weight: 3, arbitrary: plain }, fc.dictionary(someName, fc.oneof(plain, fc.array(plain))))

const someFact: fc.Arbitrary<Fact> = fc.record(
  {
    type: fc.constant('profile.updated' as const),
    subject: fc.constant({ kind: 'user' as const, id: '01USER' }),
    actor: fc.constantFrom(
      { kind: 'user' as const, id: '01USER', session: '01SESSION' },
      { kind: 'system' as const, id: null },
    ),
    refused: fc.constant('OTP_INVALID_CODE' as const),
    details: fc.dictionary(someName, value),
    changes: fc.dictionary(someName, fc.record({ before: value, after: value }, { requiredKeys: [] })),
  },
  { requiredKeys: ['type', 'subject'] },
)

const someSource = fc.record({
  now: fc.constant(now),
  requestId: fc.constant('01REQUEST'),
  operator: fc.constant({ id: '01OPERATOR' }),
  address: fc.constantFrom('203.0.113.7', '2001:db8::1', 'unix'),
  userAgent: fc.constantFrom(
    undefined,
    'okhttp/5.1.0',
    'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  ),
}) as fc.Arbitrary<EventSource>

test('writes both parts of every event in canonical JSON', () => {
  fc.assert(
    fc.property(someSource, someFact, (source, fact) => {
      const event = eventOf(source, fact)
      assert.ok(event?.personal)
      assert.equal(event.public, canonicalJson(JSON.parse(event.public)))
      assert.equal(event.personal, canonicalJson(JSON.parse(event.personal)))
    }),
  )
})

test('keeps the values of changes in the personal part alone', () => {
  fc.assert(
    fc.property(someSource, someFact, (source, fact) => {
      const { public: open, personal } = eventOf(source, fact)!
      const { changes = {}, details, refused: code, actor } = fact
      const shown = Object.values(changes).some((change) => Object.keys(change).length > 0)
      const session = actor?.session
      const changed = fact.changes && Object.keys(changes).sort()
      assert.equal(open, canonicalJson({ changed, code, details, session }))
      assert.equal(canonicalJson(JSON.parse(personal!).changes ?? null), canonicalJson(shown ? changes : null))
    }),
  )
})
