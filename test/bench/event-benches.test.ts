import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullRunsOnly } from '../support/runner/sample-size.ts'
import { smallBench as bench, namesIn } from '../support/small-bench.ts'

test('measures lists and the export of a log', fullRunsOnly, async () => {
  const lists = ['unfiltered', 'unfiltered, later', 'by actor', 'by subject', 'by subject, type', 'by type, prefix']
  const rest = ['by outcome', 'by rare type, 20,000 rows', 'export, first', 'export, again']
  assert.deepEqual(namesIn(await bench('event-log', '--events', '5000')), [...lists, ...rest, ...lists, ...rest])
})

test('measures what recording events costs', fullRunsOnly, async () => {
  const operations = ['resend', 'challenge', 'profile PATCH', 'verify', 'confirm']
  assert.deepEqual(
    namesIn(await bench('events', '--only', 'security, paused')),
    operations.map((name) => `${name}: security, paused`),
  )
})

test('measures what recording events costs on PostgreSQL, with sealing running', fullRunsOnly, async () => {
  const table = await bench('events', '--postgres', '--only', 'resend: all, running')
  assert.deepEqual(namesIn(table), ['resend: all, running'])
})

test('measures the verification of a log and its export', fullRunsOnly, async () => {
  assert.deepEqual(namesIn(await bench('events-verify', '--events', '5000')), ['SQLite', 'an export', 'PostgreSQL'])
})
