import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomLog, tamperings } from '../../server/events/verify/random-log.testkit.ts'
import {
  checkpointsOf,
  currentKey,
  earlierKey,
  exportOf,
  type SampleLog,
} from '../../server/events/verify/sample-log.testkit.ts'
import { verifyExport } from '../../server/events/verify/verify-export.ts'
import { type Random, seededRandom } from '../../test/campaign/seeded-random.ts'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { linesIn } from '../terminal/lines.ts'

const rounds = sampleSize(1_000)

async function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000)
}

const fileOf = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''))
const read = (name: string, bytes: Buffer) => ({ name, lines: linesIn(chunksOf(bytes)) })

/** What `tenantry events verify` finds in an export, compared with checkpoints of the log before. */
async function faultsIn(exported: Buffer, log: SampleLog): Promise<unknown[]> {
  const checkpoints = read('checkpoints', fileOf(checkpointsOf(log, currentKey, earlierKey)))
  return [...(await verifyExport({ export: read('export', exported), checkpoints, isComplete: true })).faults]
}

test(`${rounds} untouched exports verify`, async () => {
  for (let round = 0; round < rounds; round++) {
    const log = randomLog('acme', seededRandom('untouched export', round))
    assert.deepEqual(await faultsIn(fileOf(exportOf(log)), log), [], `round ${round}`)
  }
})

/** Changes the file of an export. */
type FileTampering = (file: Buffer, other: Buffer, random: Random) => Buffer

const onLines =
  (change: (lines: string[], other: string[], random: Random) => string[]): FileTampering =>
  (file, other, random) => {
    const [own, foreign] = [file, other].map((bytes) => bytes.toString().trimEnd().split('\n'))
    return fileOf(change(own!, foreign!, random))
  }

const fileTamperings: Readonly<Record<string, FileTampering>> = {
  'a flipped bit': (file, _other, random) => {
    const at = random.below(file.length)
    return Buffer.concat([file.subarray(0, at), Buffer.of(file[at]! ^ (1 << random.below(8))), file.subarray(at + 1)])
  },
  // Without the line break at its end the file says the same.
  'a cut end': (file, _other, random) => file.subarray(0, random.below(file.length - 1)),
  'missing bytes': (file, _other, random) => {
    const [from, to] = [random.below(file.length - 2), random.below(file.length - 2)].toSorted((a, b) => a - b)
    return Buffer.concat([file.subarray(0, from), file.subarray(to! + 1)])
  },
  'a deleted line': onLines((lines, _other, random) => lines.toSpliced(random.below(lines.length), 1)),
  'a repeated line': onLines((lines, _other, random) =>
    lines.toSpliced(random.below(lines.length + 1), 0, random.pick(lines)),
  ),
  'swapped lines': onLines((lines, _other, random) => {
    const [one, other] = [random.below(lines.length), random.below(lines.length)]
    return lines.with(one, lines[other]!).with(other, lines[one]!)
  }),
  'a line of another log': onLines((lines, other, random) =>
    lines.with(random.below(lines.length), random.pick(other)),
  ),
  'a line of another log in addition': onLines((lines, other, random) =>
    lines.toSpliced(random.below(lines.length + 1), 0, random.pick(other)),
  ),
  'the export of another log': (_file, other) => other,
}

const isJustRefused = (error: Error): boolean => /^(checkpoints|export): |EVENT_LOG_DAMAGED/.test(error.message)

/** Whether a tampering with a file is reported, or the file refused. */
async function isFound(exported: Buffer, log: SampleLog): Promise<boolean> {
  try {
    return (await faultsIn(exported, log)).length > 0
  } catch (error) {
    if (!(error instanceof Error) || !isJustRefused(error)) throw error
    return true
  }
}

test(`each of ${rounds} random tamperings with the file of an export is found (threat L01)`, async () => {
  const names = Object.keys(fileTamperings)
  for (let round = 0, found = 0; found < rounds; round++) {
    const random = seededRandom('tampered file', round)
    const [log, other] = [randomLog('acme', random), randomLog('other', random)]
    const file = fileOf(exportOf(log))
    const name = names[round % names.length]!
    const tampered = fileTamperings[name]!(file, fileOf(exportOf(other)), random)
    if (tampered.equals(file)) continue
    assert.ok(await isFound(tampered, log), `round ${round}: ${name}\n${file}\n${tampered}`)
    found++
  }
})

/** An export cannot tell the erasure of a person from another one, and may begin with any batch, which it says. */
const isExport = ({ batches }: SampleLog, name: string): boolean =>
  name !== 'an erased part of a person that exists' && batches[0]?.batch === 1

test(`each of ${rounds} random tamperings with a log is found in its export`, async () => {
  const names = Object.keys(tamperings)
  for (let round = 0, found = 0; found < rounds; round++) {
    const random = seededRandom('tampered export', round)
    const [log, other] = [randomLog('acme', random), randomLog('other', random)]
    const untouched = { ...log }
    const name = names[round % names.length]!
    if (!tamperings[name]!(log, other, random) || !isExport(log, name)) continue
    let lines: string[]
    try {
      lines = exportOf(log)
    } catch {
      // The server refuses to export it.
      continue
    }
    if (lines.join('\n') === exportOf(untouched).join('\n')) continue
    assert.ok(await isFound(fileOf(lines), untouched), `round ${round}: ${name}\n${lines.join('\n')}`)
    found++
  }
})
