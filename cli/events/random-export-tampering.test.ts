import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  checkpointsOf,
  currentKey,
  earlierKey,
  exportOf,
  type SampleLog,
} from '../../server/events/verify/sample-log.testkit.ts'
import { seededRandom } from '../../test/campaign/seeded-random.ts'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { type } from '../terminal/terminal.testkit.ts'
import { lineTamperings, randomExport } from './export-tampering.testkit.ts'

const folder = await mkdtemp(join(tmpdir(), 'tenantry-tampered-'))
after(() => rm(folder, { recursive: true }))

/** What an auditor does with the export, and the checkpoints of the untouched log. */
async function verify(lines: readonly string[], log: SampleLog) {
  await writeFile(join(folder, 'export'), `${lines.join('\n')}\n`)
  await writeFile(join(folder, 'checkpoints'), `${checkpointsOf(log, currentKey, earlierKey).join('\n')}\n`)
  return type(['events', 'verify', '--export', 'export', '--checkpoints', 'checkpoints', '--complete'], { folder })
}

test('untouched exports verify', async () => {
  for (let round = 0; round < sampleSize(1_000); round++) {
    const log = randomExport('acme', seededRandom('untouched export', round))
    const { exitCode, output, errors } = await verify(exportOf(log), log)
    assert.deepEqual([exitCode, errors], [0, ''], `round ${round}: ${output}`)
  }
})

test('each random tampering with the lines of an export is found without a server (threat L01)', async () => {
  const names = Object.keys(lineTamperings)
  for (let round = 0, count = 0; count < sampleSize(1_000); round++) {
    const random = seededRandom('tampered export', round)
    const log = randomExport('acme', random)
    const lines = exportOf(log)
    const other = exportOf(randomExport(random.pick(['acme', 'other']), random))
    const name = names[round % names.length]!
    const tampered = lineTamperings[name]!({ log, lines, other }, random)
    if (tampered === null || tampered.join('\n') === lines.join('\n')) continue
    const { exitCode, errors } = await verify(tampered, log)
    assert.equal(exitCode, 1, `round ${round}: ${name}\n${difference(lines, tampered)}`)
    assert.match(errors, found, `round ${round}: ${name}`)
    count++
  }
})

/** The first batch tells which log it is. */
const found =
  /^(The log is not as it was sealed: \d+ fault\(s\)\. First: batch -?\d+|checkpoints: the checkpoints are of another log than export$)/m

const difference = (lines: readonly string[], tampered: readonly string[]): string =>
  [
    ...lines.filter((line) => !tampered.includes(line)).map((line) => `- ${line}`),
    ...tampered.filter((line) => !lines.includes(line)).map((line) => `+ ${line}`),
  ].join('\n')
