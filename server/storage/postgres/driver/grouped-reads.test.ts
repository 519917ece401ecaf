import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command, StatementCall } from './commands.ts'
import { testStatement } from './connection-pool.testkit.ts'
import { GroupedReads } from './grouped-reads.ts'
import type { PipelineOutcome, PipelineStep } from './pipelined-query.ts'

const enter = testStatement('grouped.enter', 'SELECT $1', 1)
const stepOf = (name: string): PipelineStep => ({ name, sql: name, values: [], arrays: false })
const nameOf = (command: Command): string => {
  if (typeof command === 'string') return command
  return 'sql' in command ? command.name : `enter ${command[1]}`
}

/** A connection that answers each pipeline with the names of its steps, up to a step that fails. */
class TestConnection {
  broken = false
  readonly pipelines: string[][] = []
  readonly reads = new GroupedReads(this)
  readonly #failing: string

  constructor(failing = '') {
    this.#failing = failing
  }

  async trySend(...commands: readonly Command[]): Promise<PipelineOutcome> {
    const names = commands.map(nameOf)
    this.pipelines.push(names)
    const failed = names.indexOf(this.#failing)
    const done = failed < 0 ? names : names.slice(0, failed)
    const results = done.map((name) => ({ command: 'SELECT', rows: [name], changes: 1 }))
    return { results, ...(failed >= 0 && { error: new Error(`${this.#failing} failed`) }) }
  }

  /** The row of each read, or its error. */
  async outcomes(...reads: readonly [tenant: string | null, name: string][]): Promise<string[]> {
    const preambleOf = (tenant: string | null): StatementCall[] => (tenant === null ? [] : [[enter, [tenant]]])
    const sent = reads.map(([tenant, name]) => this.reads.add(preambleOf(tenant), stepOf(name)))
    const settled = await Promise.allSettled(sent)
    return settled.map((one) => (one.status === 'fulfilled' ? one.value.rows[0] : one.reason.message))
  }
}

test('reads of one tick with the same preamble are one pipeline; a later read is another', async () => {
  const connection = new TestConnection()
  const first = await connection.outcomes(['a', '1'], [null, '2'], ['b', '3'], ['a', '4'], [null, '5'])
  assert.deepEqual(first, ['1', '2', '3', '4', '5'])
  assert.deepEqual(await connection.outcomes(['a', '6']), ['6'])
  assert.deepEqual(connection.pipelines, [
    ['enter a', '1', '4'],
    ['2', '5'],
    ['enter b', '3'],
    ['enter a', '6'],
  ])
})

test('a pipeline has at most 8 reads, as it is answered as a whole within the response timeout', async () => {
  const connection = new TestConnection()
  await connection.outcomes(...Array.from({ length: 20 }, (): [string, string] => ['a', 'read']))
  const lengths = connection.pipelines.map((names) => names.filter((name) => name === 'read').length)
  assert.deepEqual(lengths, [8, 8, 4])
})

test('when a read fails, the others are sent again, each as a transaction, also those that were answered', async () => {
  const connection = new TestConnection('2')
  assert.deepEqual(await connection.outcomes(['a', '1'], ['a', '2'], ['a', '3']), ['1', '2 failed', '3'])
  assert.deepEqual(connection.pipelines.slice(1), [
    ['enter a', '1'],
    ['enter a', '3'],
  ])
})

test('when the preamble fails or the connection is lost, all reads fail and none is sent again', async () => {
  for (const [failing, broken] of [
    ['enter a', false],
    ['2', true],
  ] as const) {
    const connection = new TestConnection(failing)
    connection.broken = broken
    const failed = `${failing} failed`
    assert.deepEqual(await connection.outcomes(['a', '1'], ['a', '2'], ['a', '3']), [failed, failed, failed])
    assert.equal(connection.pipelines.length, 1)
  }
})

test('when the transaction of a group fails at its end, none of its answers counts', async () => {
  const connection = new TestConnection()
  const trySend = connection.trySend.bind(connection)
  connection.trySend = async (...commands) => ({ ...(await trySend(...commands)), error: new Error('no commit') })
  assert.deepEqual(await connection.outcomes([null, '1'], [null, '2']), ['no commit', 'no commit'])
})
