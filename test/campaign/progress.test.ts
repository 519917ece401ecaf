import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withProgress } from './progress.ts'

const steps = { name: 'crash', unit: 'cycle', total: 300 }

/** Runs three steps, each of which takes some milliseconds; the last fails if `failure` is given. */
async function print(isTTY: boolean, takesMs: number, failure?: Error): Promise<string> {
  let printed = ''
  let time = 1_000
  const printer = { output: { isTTY, write: (text: string) => (printed += text) }, now: () => time }
  const running = withProgress(
    steps,
    async ({ watch, note }) => {
      for (let done = 1; done <= 3; done++) {
        time += takesMs
        watch(done, `${done * 100} writes checked`)
        if (done === 2) note('crash  a refusal')
      }
      if (failure) throw failure
      return 'result'
    },
    printer,
  )
  if (failure) await assert.rejects(running, failure)
  else assert.equal(await running, 'result')
  return printed
}

test('prints a line for each step that takes five seconds or more, in files and pipes', async () => {
  assert.deepEqual((await print(false, 65_000)).split('\n'), [
    'crash  cycle 1 of 300 after 1:05: 100 writes checked',
    'crash  cycle 2 of 300 after 2:10: 200 writes checked',
    'crash  a refusal',
    'crash  cycle 3 of 300 after 3:15: 300 writes checked',
    '',
  ])
})

test('prints a line every five seconds when steps are faster', async () => {
  const lines = (await print(false, 2_500)).split('\n')
  assert.deepEqual(
    lines.map((line) => line.split(' after')[0]),
    ['crash  cycle 1 of 300', 'crash  a refusal', 'crash  cycle 3 of 300', ''],
  )
})

test('rewrites one line on a terminal, keeps notes, and clears the line at the end', async () => {
  const printed = await print(true, 1_000)
  assert.equal(
    printed,
    [
      'crash  cycle 1 of 300 after 0:01: 100 writes checked',
      'crash  cycle 2 of 300 after 0:02: 200 writes checked',
      'crash  a refusal\n',
      'crash  cycle 3 of 300 after 0:03: 300 writes checked',
      '',
    ]
      .map((text) => `\r\u001b[K${text}`)
      .join(''),
  )
})

test('leaves the last step before a failure', async () => {
  const failure = new Error('a violation')
  for (const isTTY of [true, false])
    assert.match(await print(isTTY, 10, failure), /cycle 3 of 300 after 0:00: 300 writes checked\n$/)
})
