import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventSearch } from './event-filters.tsx'
import { matchesFilters } from './matches-filters.ts'
import type { RecordedEvent } from './recorded-event.ts'

const event = {
  type: 'sign_in.refused',
  at: '2026-11-23T10:00:00.000Z',
  outcome: 'refused',
  actor: { kind: 'anonymous', id: null },
  subject: { kind: 'user', id: 'ada' },
  where: { requestId: 'request-1' },
} as RecordedEvent

const filters: readonly (readonly [EventSearch, boolean])[] = [
  [{}, true],
  [{ type: 'sign_in.refused' }, true],
  [{ type: 'sign_in.*' }, true],
  [{ type: 'sign_in.succeeded' }, false],
  [{ type: 'sign.*' }, false],
  [{ outcome: 'refused' }, true],
  [{ outcome: 'done' }, false],
  [{ actorId: 'ada' }, false],
  [{ subjectId: 'ada' }, true],
  [{ subjectId: 'bob' }, false],
  [{ requestId: 'request-1' }, true],
  [{ requestId: 'request-2' }, false],
  [{ since: '2026-11-23T11:00:00+01:00' }, true],
  [{ since: '2026-11-23T10:00:00.001Z' }, false],
  [{ until: '2026-11-23T10:00:00.001Z' }, true],
  [{ until: '2026-11-23T10:00:00Z' }, false],
  [{ type: 'sign_in.*', outcome: 'done' }, false],
]
for (const [search, expected] of filters)
  test(`${JSON.stringify(search)} ${expected ? 'has' : 'does not have'} the event`, () =>
    assert.equal(matchesFilters(event, search), expected))
