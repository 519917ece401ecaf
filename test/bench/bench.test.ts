import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { NotQuiet, type Round, requireQuiet } from '../../bench/measure.ts'
import { fullRunsOnly } from '../support/sample-size.ts'

// Rounds too short for figures: these tests show that each bench still runs against the service as it is.

const root = join(import.meta.dirname, '../..')
const small = ['--users', '64', '--sessions', '32', '--connections', '4', '--rounds', '1', '--seconds', '0.05']

/** A bench that hangs is ended before its test, so that it ends its servers. */
const options = { cwd: root, timeout: 100_000 }

async function bench(...args: string[]): Promise<string> {
  const script = join(root, 'bench/bench.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args, ...small], options)
  return stdout
}

/** The lines of the table that begin with a name and a number. */
const namesIn = (table: string): string[] =>
  table.split('\n').flatMap((line) => /^( *\S.*?) {2,}[\d.]+(?: |$)/.exec(line)?.[1]?.trim() ?? [])

test('measures every operation beside its references', fullRunsOnly, async () => {
  const floors = ['floor FULL', 'floor NORMAL', 'bare']
  assert.deepEqual(namesIn(await bench()), [
    ...['configuration, 20 KB', ...floors, 'configuration, 304', 'bare'],
    ...['resend', ...floors, 'challenge', ...floors, 'profile PATCH', ...floors],
    ...['verify', 'bare', 'account', 'bare', 'refresh', 'bare', 'sign-in by code', 'bare'],
    ...['sign-in by password', 'hash alone', 'confirm', 'hash alone'],
  ])
})

test('compares two checkouts in every operation', fullRunsOnly, async () => {
  assert.deepEqual(namesIn(await bench('against', root)), [
    ...['configuration, 20 KB', 'configuration, 304', 'resend', 'challenge', 'profile PATCH', 'verify', 'account'],
    ...['refresh', 'sign-in by code', 'sign-in by password', 'confirm'],
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

test('measures lists and the export of a log', fullRunsOnly, async () => {
  const lists = ['unfiltered', 'unfiltered, later', 'by actor', 'by subject', 'by subject, type', 'by type, prefix']
  const rest = ['by outcome', 'by rare type, 20,000 rows', 'export, first', 'export, again']
  assert.deepEqual(namesIn(await bench('event-log', '--events', '5000')), [...lists, ...rest, ...lists, ...rest])
})

for (const engine of ['SQLite', 'PostgreSQL']) {
  test(`measures what recording events costs on ${engine}`, fullRunsOnly, async () => {
    const operations = ['resend', 'challenge', 'profile PATCH', 'verify', 'confirm']
    const names = (relay: string) =>
      operations.flatMap((name) => [`${name}: security, ${relay}`, `${name}: all, ${relay}`])
    const table = await bench('events', ...(engine === 'PostgreSQL' ? ['--postgres'] : []))
    assert.deepEqual(namesIn(table), [...names('paused'), ...names('running')])
  })
}

test('measures the verification of a log and its export', fullRunsOnly, async () => {
  assert.deepEqual(namesIn(await bench('events-verify', '--events', '5000')), ['SQLite', 'an export', 'PostgreSQL'])
})

test('measures a resend beside its references', async () => {
  const floors = ['floor FULL', 'floor NORMAL', 'bare']
  assert.deepEqual(namesIn(await bench('--only', 'resend')), ['resend', ...floors])
})

test('an unknown bench is an error that names the known ones', async () => {
  await assert.rejects(
    bench('unknown'),
    /unknown bench; available: slow-disk, conditions, indexed, delivery, postgres, growth, schema-check, search, users, events, event-log, event-relay, events-verify, start, against/,
  )
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
