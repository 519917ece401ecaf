import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotQuiet, type Round, requireQuiet } from '../../bench/measure.ts'
import { fullRunsOnly, samplesOnly } from '../support/runner/sample-size.ts'
import { smallBench as bench, namesIn, root } from '../support/small-bench.ts'

test('measures every operation beside its references', fullRunsOnly, async () => {
  const floors = ['floor FULL', 'floor NORMAL', 'bare']
  assert.deepEqual(namesIn(await bench()), [
    ...['configuration, 20 KB', ...floors, 'configuration, 304', 'bare'],
    ...['resend', ...floors, 'challenge', ...floors, 'profile PATCH', ...floors],
    ...['verify', 'bare', 'account', 'bare', 'refresh', 'bare', 'sign-in by code', 'bare'],
    ...['sign-in by password', 'hash alone', 'confirm', 'hash alone'],
  ])
})

test('compares two checkouts', fullRunsOnly, async () => {
  assert.deepEqual(namesIn(await bench('against', root, '--only', 'configuration')), [
    ...['configuration, 20 KB', 'configuration, 304'],
  ])
})

test('measures reads beside a slow fsync, or says why not', fullRunsOnly, async () => {
  const output = await bench('slow-disk')
  if (output.startsWith('reads beside a slow fsync are not measured')) return
  assert.deepEqual(namesIn(output), ['no writer', 'one writer', 'one writer, fsync 50 ms slower'])
})

test('measures delivery', fullRunsOnly, async () => {
  const output = await bench('delivery', '--messages', '20', '--challenges', '5')
  assert.match(output, /20 messages from a full outbox: {2}\d+ messages\/s/)
  assert.match(output, /^challenge to its 201 .*\nits 201 to the end of DATA /m)
})

test('measures PostgreSQL', fullRunsOnly, async () => {
  const names = namesIn(await bench('postgres'))
  assert.deepEqual(names, ['configuration, 20 KB', 'resend', 'challenge', 'profile PATCH'])
})

test('measures imports and exports', fullRunsOnly, async () => {
  assert.deepEqual(namesIn(await bench('import', '--postgres')), ['dry run', 'import', 'export'])
})

test('measures startup', fullRunsOnly, async () => {
  assert.deepEqual(namesIn(await bench('start')), ['first', 'again'])
})

test('measures updates of fields with and without an index', fullRunsOnly, async () => {
  assert.deepEqual(namesIn(await bench('indexed')), ['without', 'unique and searchable'])
})

test('measures configurations with and without conditions', fullRunsOnly, async () => {
  assert.deepEqual(namesIn(await bench('conditions')), ['without', 'with conditions'])
})

test('measures searches by profile fields', fullRunsOnly, async () => {
  const one = ['equality', 'prefix', 'range']
  const two = ['equality, equality', 'equality, range', 'prefix, equality', 'range, equality']
  assert.deepEqual(namesIn(await bench('search')), [...one, ...two, ...one, ...two])
})

test('measures what counting costs', fullRunsOnly, async () => {
  assert.deepEqual(namesIn(await bench('counting')), ['1 tenant', '1000 tenants', 'challenge', 'profile PATCH'])
})

test('measures a resend beside its references', samplesOnly, async () => {
  const floors = ['floor FULL', 'floor NORMAL', 'bare']
  assert.deepEqual(namesIn(await bench('--only', 'resend')), ['resend', ...floors])
})

test('with --quiet-check, rounds of one server that differ by more than a third are an error', () => {
  const rounds = (...speeds: number[]): Round[] =>
    speeds.map((requestsPerSecond) => ({ requestsPerSecond, cpuMicros: 1, p50: 1, p99: 1 }))
  requireQuiet('resend', new Map([['service', rounds(900, 601, 700)]]))
  const busy = new Map([
    ['service', rounds(900, 890)],
    ['floor FULL', rounds(900, 700, 599)],
  ])
  assert.throws(() => requireQuiet('resend', busy), NotQuiet)
  assert.throws(
    () => requireQuiet('resend', busy),
    /^NotQuiet: resend: the slowest round of floor FULL is 33 % slower than its fastest, more than a third; no figures/,
  )
})
