import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readExport } from './read-export.ts'
import { currentKey, eraseUser, exportOf, purgeBatch, sampleLog, trustedKey } from './sample-log.testkit.ts'
import { type ExpectedBatch, verifyLog } from './verify-log.ts'

async function* each(lines: readonly string[]) {
  yield* lines
}

async function verify(lines: readonly string[], expected: readonly ExpectedBatch[] = []) {
  const source = await readExport(each(lines))
  const { tenantId } = source.range()
  return verifyLog(source, { tenantId: tenantId ?? '', publicKey: trustedKey, from: null, expected })
}

const kinds = (faults: Awaited<ReturnType<typeof verify>>['faults']) =>
  faults.map(({ batch, sequence, kind }) => `${batch}${sequence === undefined ? '' : `.${sequence}`} ${kind}`)

const ofTenant = () => sampleLog('acme', [5, 1, 8, 3], currentKey)

test('an untouched export has no fault, purged and erased too', async () => {
  const log = ofTenant()
  purgeBatch(log, 1, true, currentKey)
  eraseUser(log, 'user-3')
  const { faults, verified, purged, erased } = await verify(exportOf(log))
  assert.deepEqual([faults, verified, purged.events, erased], [[], { batches: 4, events: 13 }, 4, 3])
})

test('an export of the newest batches, or of nothing, has no fault', async () => {
  const log = ofTenant()
  const newest = { ...log, batches: log.batches.slice(2), events: log.events.slice(6) }
  const source = await readExport(each(exportOf(newest)))
  assert.equal(source.range().first?.batch, 3)
  assert.deepEqual((await verify(exportOf(newest))).faults, [])
  const nothing = await verify(exportOf({ tenantId: 'acme', events: [], batches: [], head: null }))
  assert.deepEqual([nothing.faults, nothing.head], [[], null])
})

test('the log that an export continues is compared with what is known of it', async () => {
  const log = ofTenant()
  const newest = exportOf({ ...log, batches: log.batches.slice(2), events: log.events.slice(6) })
  const source = 'the checkpoint'
  assert.deepEqual((await verify(newest, [{ batch: 2, hash: log.batches[1]!.hash, source }])).faults, [])
  assert.deepEqual(kinds((await verify(newest, [{ batch: 2, hash: 'other', source }])).faults), ['3 gap'])
})

const cases: readonly (readonly [title: string, tamper: (lines: string[]) => void, ...faults: readonly string[]])[] = [
  ['a missing last line', (lines) => lines.pop(), '5 missing'],
  ['missing lines at the end', (lines) => lines.splice(-3), '3.15 changed', '3.16 changed', '4 missing'],
  ['a missing event', (lines) => lines.splice(2, 1), '1.3 missing', '5 missing'],
  ['a line that is not JSON', (lines) => lines.splice(2, 0, '{'), '1 changed'],
  ['a line that is not an object', (lines) => lines.splice(2, 0, '[]'), '1 changed'],
  ['an additional member', (lines) => lines.splice(2, 1, lines[2]!.replace('{', '{"note":1,')), '1.3 changed'],
  ['a member twice', (lines) => lines.splice(2, 1, lines[2]!.replace('{', '{"type":"x",')), '1.3 changed'],
  ['another spelling', (lines) => lines.splice(2, 1, lines[2]!.replace('user', '\\u0075ser')), '1.3 changed'],
  ['a time in another zone', (lines) => lines.splice(2, 1, lines[2]!.replace('00Z"', '00+00:00"')), '1.3 changed'],
  [
    'a missing member',
    (lines) => lines.splice(2, 1, lines[2]!.replace('"outcome":"done",', '')),
    '1.3 changed',
    '1 changed',
  ],
  ['a last line with another member', (lines) => lines.push(lines.pop()!.replace('{', '{"note":1,')), '5 changed'],
  [
    'a last line without counts',
    (lines) => lines.push(lines.pop()!.replace(/"events":\d+,"batches":\d+/, '"checkpoints":4')),
    '5 changed',
  ],
  ['a last line without the head', (lines) => lines.push(lines.pop()!.replace(/\{"batch":.*?\}/, 'null')), '5 changed'],
  [
    'a head with a text',
    (lines) => lines.push(lines.pop()!.replace('"batch":4', '"batch":"5"')),
    '5 changed',
    '4 missing',
  ],
  ['a head without events', (lines) => lines.push(lines.pop()!.replace('"batch":4', '"batch":9')), '5 changed'],
  ['an event after the end', (lines) => lines.push(lines[2]!), '5 changed'],
  ['a batch of another log', (lines) => lines.splice(7, 1, lines[7]!.replace('acme', 'other')), '2 changed'],
  [
    'an additional member of a batch',
    (lines) => lines.splice(7, 1, lines[7]!.replace('{"batch":{', '{"batch":{"x":1,')),
    '2 changed',
  ],
  ['a batch twice', (lines) => lines.splice(8, 0, lines[7]!), '2 reordered', '2.6 missing', '5 missing'],
  ['events in another order', (lines) => lines.splice(2, 0, lines.splice(3, 1)[0]!), '1.3 missing', '1.3 reordered'],
]

for (const [title, tamper, ...faults] of cases) {
  test(`finds ${title} in an export`, async () => {
    const lines = exportOf(ofTenant())
    tamper(lines)
    const result = await verify(lines)
    assert.deepEqual(kinds(result.faults), faults, JSON.stringify(result.faults, null, 1))
  })
}
