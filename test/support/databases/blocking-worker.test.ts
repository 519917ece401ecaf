import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBlockingWorker } from './blocking-worker.ts'

const longestMs = 30_000

/** A worker for questions of a name, which answers with the name. */
function startEcho(answerTo: string) {
  const source = `
    import { setTimeout as pause } from 'node:timers/promises'
    import { workerData } from 'node:worker_threads'
    import { answerQuestions } from '${new URL('blocking-worker.ts', import.meta.url)}'
    const { promise: nextQuestion, resolve: release } = Promise.withResolvers()
    answerQuestions(async (name) => { ${answerTo}; return name })`
  return startBlockingWorker<string, string>(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
}

test('waits for its answer when the notification of the answer before comes late', () => {
  const ask = startEcho(`
    if (name === 'second') { Atomics.notify(workerData.answered, 0); await pause(50) }`)
  assert.deepEqual(
    ['first', 'second', 'third'].map((name) => ask(name, longestMs)),
    ['first', 'second', 'third'],
  )
})

test('drops an answer that comes after its time', () => {
  const ask = startEcho(
    `if (name === 'late') await nextQuestion; else if (name === 'next') { release(); await pause(50) }`,
  )
  assert.equal(ask('first', longestMs), 'first')
  assert.throws(() => ask('late', 50), /no answer in 50 ms/)
  assert.equal(ask('next', longestMs), 'next')
})
