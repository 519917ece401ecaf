import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { signedAnchor } from '../../server/events/anchor/anchor-line.ts'
import { signDigest } from '../../server/events/seal.ts'
import {
  checkpointsOf,
  currentKey,
  earlierKey,
  eraseUser,
  exportOf,
  foreignKey,
  headOf,
  jwkSetOf,
  purgeBatch,
  type SampleKey,
  type SampleLog,
  sampleLog,
} from '../../server/events/verify/sample-log.testkit.ts'
import { fullRunsOnly } from '../../test/support/runner/sample-size.ts'
import { type } from '../terminal/terminal.testkit.ts'

const folder = await mkdtemp(join(tmpdir(), 'tenantry-verify-'))
after(() => rm(folder, { recursive: true }))

const ofTenant = (sizes = [5, 1, 8, 3]) => sampleLog('01JD3TENANT000000000000001', sizes, currentKey)

function anchorOf({ tenantId, head }: SampleLog, key: SampleKey = currentKey): string {
  const heads = [
    { tenantId: null, batch: 0, sequence: 0, hash: '' },
    { tenantId, ...head! },
  ]
  const body = {
    type: 'events.heads' as const,
    timestamp: '2026-11-23T10:00:00.000Z',
    data: { kid: currentKey.kid, heads },
  }
  return JSON.stringify(signedAnchor('01JD3ANCHOR', 1_795_000_000, body, (bytes) => sign(null, bytes, key.privateKey)))
}

/** Writes the files and verifies them. */
async function verify(files: Readonly<Record<string, readonly string[]>>, ...options: readonly string[]) {
  for (const [name, lines] of Object.entries(files)) await writeFile(join(folder, name), `${lines.join('\n')}\n`)
  const named = Object.keys(files).flatMap((name) => [`--${name}`, name])
  return type(['events', 'verify', ...named, ...options], { folder })
}

test('verifies an export with checkpoints, without a server', async () => {
  const log = ofTenant()
  purgeBatch(log, 1, true, currentKey)
  eraseUser(log, 'user-3')
  const result = await verify({ export: exportOf(log), checkpoints: checkpointsOf(log, currentKey) })
  assert.deepEqual(result, {
    exitCode: 0,
    output: [
      'Log of tenant 01JD3TENANT000000000000001',
      'Covered: batches 1 to 4, events 1 to 17',
      'Verified: 13 event(s) in 4 batch(es)',
      'Purged: 4 event(s) up to batch 1',
      'Erased: the personal part of 3 event(s)',
      `Head: batch 4, sealed ${new Date(log.batches[3]!.sealedAt).toISOString()}, hash ${log.head!.hash}`,
      'Compared with 4 checkpoint(s) and 0 anchor(s)',
      '',
    ].join('\n'),
    errors: '',
  })
})

test('fails with the first fault of a changed export', async () => {
  const log = ofTenant()
  const lines = exportOf(log)
  lines[2] = lines[2]!.replace('203.0.113.0', '198.51.100.0')
  const { exitCode, output, errors } = await verify({ export: lines, checkpoints: checkpointsOf(log, currentKey) })
  assert.equal(exitCode, 1)
  assert.match(output, /^Verified: 12 event\(s\) in 3 batch\(es\)$/m)
  const fault = 'batch 1, event 3: changed: the personal part of event 3 is not the one that was recorded'
  assert.match(output, new RegExp(`^Fault: ${fault}$`, 'm'))
  assert.equal(errors, `The log is not as it was sealed: 1 fault(s). First: ${fault}\n`)
})

test('reports the faults of an export with any number of events in a row without a batch', fullRunsOnly, async () => {
  const log = ofTenant()
  const [event = '', ...others] = exportOf(log)
  const damaged = [...Array(130_000).fill(event), event, ...others]
  const { errors } = await verify({ export: damaged, checkpoints: checkpointsOf(log, currentKey) })
  // One for each event that comes again, and one for the count in the last line.
  assert.match(errors, /^The log is not as it was sealed: 130001 fault\(s\)\. First: batch 1, event 1/)
})

test('accepts files whose line breaks an editor on Windows has changed', async () => {
  const log = ofTenant()
  const onWindows = (lines: readonly string[]) => lines.map((line) => `${line}\r`)
  const files = { export: exportOf(log), checkpoints: checkpointsOf(log, currentKey), anchors: [anchorOf(log)] }
  const changed = Object.fromEntries(Object.entries(files).map(([name, lines]) => [name, onWindows(lines)]))
  const result = await verify(changed)
  assert.equal(result.exitCode, 0, result.errors)
  assert.deepEqual(result, await verify(files))
  // Only if they are the same in the whole file: otherwise a line is not as the service wrote it.
  const [first = '', ...others] = exportOf(log)
  for (const lines of [
    [`${first}\r`, ...others],
    [first, ...onWindows(others)],
  ])
    assert.equal((await verify({ ...files, export: lines })).exitCode, 1)
})

test('needs public keys, of a file or of the checkpoints', async () => {
  const log = ofTenant()
  const without = await verify({ export: exportOf(log) })
  assert.equal(without.exitCode, 2)
  assert.match(without.errors, /^error: no trusted public keys; add --checkpoints or --keys$/m)
  const set = (key: SampleKey) => [JSON.stringify(jwkSetOf(key))]
  assert.equal((await verify({ export: exportOf(log), keys: set(currentKey) })).exitCode, 0)
  const wrong = await verify({ export: exportOf(log), keys: set(foreignKey) })
  assert.equal(wrong.exitCode, 1)
  assert.match(wrong.errors, /4 fault\(s\)\. First: batch 1: signature: no trusted checkpoint key has the kid/)
})

test('batches of a key that is newer than the checkpoints need --keys', async () => {
  const log = ofTenant()
  const checkpoints = checkpointsOf({ ...log, batches: log.batches.slice(0, 3) }, currentKey)
  const newest = log.batches[3]!
  log.batches[3] = { ...newest, kid: earlierKey.kid, signature: signDigest(newest.hash, earlierKey.privateKey) }
  const { errors } = await verify({ export: exportOf(log), checkpoints })
  assert.match(errors, /1 fault\(s\)\. First: batch 4: signature: no trusted checkpoint key has the kid/)
  const keys = [JSON.stringify(jwkSetOf(currentKey, earlierKey))]
  const { exitCode, output } = await verify({ export: exportOf(log), checkpoints, keys })
  assert.equal(exitCode, 0)
  assert.match(output, /^Compared with 3 checkpoint\(s\) and 0 anchor\(s\)$/m)
})

test('finds a log that was rewritten with the right key (threat L03)', async () => {
  const checkpoints = checkpointsOf(ofTenant(), currentKey)
  const { exitCode, errors } = await verify({ export: exportOf(ofTenant([5, 1, 7, 4])), checkpoints })
  assert.equal(exitCode, 1)
  assert.match(
    errors,
    /2 fault\(s\)\. First: batch 3: changed: the batch differs from the checkpoint in checkpoints\n$/,
  )
})

test('an export of the newest batches is connected with the checkpoints, or refused', async () => {
  const log = ofTenant()
  const newest = exportOf({ ...log, batches: log.batches.slice(2), events: log.events.slice(6) })
  const until = (batches: number, of = log) =>
    checkpointsOf({ ...of, batches: of.batches.slice(0, batches) }, currentKey)
  const connected = await verify({ export: newest, checkpoints: until(2) })
  assert.equal(connected.exitCode, 0)
  assert.match(connected.output, /^Covered: batches 3 to 4, events 7 to 17$/m)
  const other = await verify({ export: newest, checkpoints: until(2, ofTenant([5, 2])) })
  assert.match(other.errors, /First: batch 3: gap: the batch does not continue the one before/)
  const apart = await verify({ export: newest, checkpoints: until(1) })
  assert.match(
    apart.errors,
    /1 fault\(s\)\. First: batch 3: gap: the checkpoints end with batch 1, so nothing connects them/,
  )
  const changed = newest.with(0, newest[0]!.replace('203.0.113.0', '198.51.100.0'))
  const { errors, output } = await verify({ export: changed, checkpoints: until(1) })
  assert.match(errors, /2 fault\(s\)\. First: batch 3: gap: the checkpoints end with batch 1/)
  assert.match(output, /^Fault: batch 3, event 7: changed: /m)
})

test('dropped newest batches are found with --complete, and noted without (threat L04)', async () => {
  const log = ofTenant()
  const cut = { ...log, batches: log.batches.slice(0, 3), events: log.events.slice(0, 14) }
  const files = { export: exportOf({ ...cut, head: headOf(cut) }), checkpoints: checkpointsOf(log, currentKey) }
  const noted = await verify(files)
  assert.equal(noted.exitCode, 0)
  assert.match(noted.output, /^Not covered: the checkpoint in checkpoints has batch 4\. /m)
  const { exitCode, errors } = await verify(files, '--complete')
  assert.equal(exitCode, 1)
  assert.match(errors, /First: batch 4: gap: batch 4 is missing at the end/)
})

test('an export without batches covers nothing, and checkpoints of an empty log say nothing of a later export', async () => {
  const [log, empty] = [ofTenant(), ofTenant([])]
  const files = { export: exportOf(empty), checkpoints: checkpointsOf(log, currentKey) }
  const noted = await verify(files)
  assert.equal(noted.exitCode, 0)
  assert.match(noted.output, /^The export has no batches\.\nVerified: 0 event.*\n.*\nNot covered: .* has batch 4\. /)
  const { exitCode, errors } = await verify(files, '--complete')
  assert.equal(exitCode, 1)
  assert.match(errors, /First: batch 1: gap: batches 1 to 4 are missing at the end/)
  const grown = await verify({ export: exportOf(log), checkpoints: checkpointsOf(empty, currentKey) })
  assert.deepEqual([grown.exitCode, grown.errors], [0, ''])
})

test('compares the log with anchored heads', async () => {
  const log = ofTenant()
  const keys = [JSON.stringify(jwkSetOf(currentKey))]
  const { output, exitCode } = await verify({ export: exportOf(log), keys, anchors: [anchorOf(log), anchorOf(log)] })
  assert.equal(exitCode, 0)
  assert.match(output, /^Compared with 0 checkpoint\(s\) and 1 anchor\(s\)$/m)
  const anchors = [anchorOf(ofTenant([5, 1, 7]))]
  const rewritten = await verify({ export: exportOf(log), keys, anchors })
  assert.match(
    rewritten.errors,
    /First: batch 3: changed: the batch differs from the anchor of 2026-11-23T10:00:00\.000Z/,
  )
  const other = await verify({ export: exportOf(log), keys, anchors: [anchorOf(sampleLog('other', [1], currentKey))] })
  assert.equal(other.exitCode, 1)
  assert.match(other.errors, /^anchors has no anchor of this log, so the log was not compared\. /)
  const forged = await verify({ export: exportOf(log), keys, anchors: [anchorOf(log, foreignKey)] })
  assert.deepEqual([forged.exitCode, forged.errors], [1, 'anchors: line 1: the signature does not hold\n'])
})

test('explains files that it cannot use', async () => {
  const log = ofTenant()
  const [exported, checkpoints] = [exportOf(log), checkpointsOf(log, currentKey)]
  const cases: [Record<string, readonly string[]>, RegExp][] = [
    [{ export: exported, checkpoints: exported }, /^checkpoints: line 1: not a line of a file that/],
    [{ export: exported, checkpoints: checkpoints.slice(0, -1) }, /^checkpoints: the last line is missing/],
    [{ export: exported, checkpoints: checkpoints.toSpliced(2, 1) }, /^checkpoints: line 3: batch 2 is not the one/],
    [{ export: exported, checkpoints: checkpoints.toSpliced(-2, 1) }, /^checkpoints: line 5: checkpoints are missing/],
    [
      { export: exported, checkpoints: checkpointsOf(log, foreignKey) },
      /^checkpoints: line 2: the signature of batch 4/,
    ],
    [
      { export: exported, checkpoints: checkpointsOf({ ...log, batches: [] }, currentKey).with(1, '{') },
      /^checkpoints: line 2: not JSON/,
    ],
    [
      { export: exported, checkpoints: checkpointsOf(sampleLog('other', [1], currentKey), currentKey) },
      /^checkpoints: the checkpoints are of another log than export/,
    ],
    [{ export: exported, keys: ['{"keys":[{"kty":"RSA"}]}'] }, /^keys: keys\.0: not an Ed25519 public key/],
    [{ export: exported, keys: ['{}'] }, /^keys: must be a JWK set/],
    [{ export: exported, checkpoints, anchors: ['{}'] }, /^anchors: line 1: not an anchor/],
  ]
  for (const [files, message] of cases) {
    const { exitCode, errors } = await verify(files)
    assert.match(errors, message)
    assert.equal(exitCode, 1)
  }
  await verify({ keys: [JSON.stringify(jwkSetOf(currentKey))] })
  const missing = await type(['events', 'verify', '--export', 'none', '--keys', 'keys'], { folder })
  assert.match(missing.errors, /^File none not found\./)
})

test('prints the result as JSON', async () => {
  const log = ofTenant()
  const { output } = await verify({ export: exportOf(log), checkpoints: checkpointsOf(log, currentKey) }, '--json')
  const { verified, faults, known } = JSON.parse(output)
  assert.deepEqual([verified, faults, known], [{ batches: 4, events: 17 }, [], { checkpoints: 4, anchors: 0 }])
})
