import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'

/** Few, because a file that drives a browser takes ten seconds; loading the service again takes one. */
const filesPerProcess = 2
const slowestShown = 15
/** In MiB. Tests make much that is garbage soon: with the default of 16 they use 6 to 13 % more processor time. */
const largeYoungGeneration = '--max-semi-space-size=32'

/** Runs test files in several processes. Resolves with whether every test passed. */
export async function runTests(files: readonly string[]): Promise<boolean> {
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../../node_modules/.cache/compiled')
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-test-run-'))
  // Two more processes than cores, because tests wait for timers and other processes.
  const concurrency = availableParallelism() + 2
  const lists = listsOf(files, concurrency)
  const entries = await Promise.all(lists.map((list, index) => writeEntry(folder, index, list)))
  const durations = new Map<string, number>()
  let passed = true
  const results = run({ files: entries, concurrency, execArgv: [largeYoungGeneration] })
  results.on('test:fail', ({ todo, skip }) => {
    if (todo === undefined && skip === undefined) passed = false
  })
  results.on('test:complete', ({ name, nesting, details }) => {
    if (nesting === 0 && !entries.includes(name)) durations.set(name, details.duration_ms)
  })
  const report = results.compose(new spec())
  report.pipe(process.stdout, { end: false })
  await finished(report)
  await rm(folder, { recursive: true })
  process.stdout.write(`\nSlowest files:\n${slowest(durations)}\n`)
  // A process that ends early takes the rest of its files with it, whatever its exit code.
  const unfinished = files.filter((file) => !durations.has(nameOf(file)))
  if (unfinished.length > 0) process.stdout.write(`\nNot run to the end: ${unfinished.join(', ')}\n`)
  return passed && unfinished.length === 0
}

/** A file as reports name it: the path from the current folder. */
export const nameOf = (file: string): string => relative(process.cwd(), resolve(file))

/**
 * What a test does that other tests in its process would disturb, or be disturbed by. Vite sets NODE_ENV, which decides what
 * React does.
 */
export const needsOwnProcess =
  /memoryHeld|queryObjects|memoryUsage|cpuUsage|threadCpuUsage|monitorEventLoopDelay|process\.on\(|mock\.timers|registeredStatements|startExample|startDevelopmentServer|registerHooks|from 'vite'/

/**
 * Of these, measures of time and of the memory that is reachable: they share a process, because they run one after another.
 * What a file before them has freed would hide growth of the memory of the process (`memoryUsage`), and counting objects
 * takes long in a large heap, so those measures stay alone.
 */
const measures = /memoryHeld|cpuUsage|threadCpuUsage|monitorEventLoopDelay/g

/** Tests of one module, which are shorter than tests of the whole service. */
const isUnit = /^(contract|server|packages)\//

/**
 * The files of each process. Most files share processes, because starting one and loading the service takes longer than
 * their tests. The processes of `shared` files have the same list, from which each takes the next file that no other has
 * taken. They come last and end with short files, so that all cores are busy until the end.
 */
function listsOf(files: readonly string[], concurrency: number): string[][] {
  const { alone = [], measuring = [], shared = [] } = Object.groupBy(files, kindOf)
  const { unit = [], whole = [] } = Object.groupBy(shared, (file) => (isUnit.test(file) ? 'unit' : 'whole'))
  const processes = Math.min(Math.ceil(shared.length / filesPerProcess), concurrency)
  const first = [measuring, ...alone.map((file) => [file])].filter((list) => list.length > 0)
  return [...first, ...Array(processes).fill([...whole, ...unit.toReversed()])]
}

function kindOf(file: string): 'alone' | 'measuring' | 'shared' {
  const text = readFileSync(file, 'utf8')
  if (!needsOwnProcess.test(text)) return 'shared'
  return needsOwnProcess.test(text.replace(measures, '')) ? 'alone' : 'measuring'
}

/** A module that runs these files, since the test runner of Node starts one process for each file it is given. */
async function writeEntry(folder: string, index: number, files: readonly string[]): Promise<string> {
  const [tracking, runner] = ['async-tracking.ts', 'run-files.ts'].map(
    (name) => pathToFileURL(join(import.meta.dirname, name)).href,
  )
  const path = join(folder, `process-${index + 1}.mjs`)
  await writeFile(
    path,
    `import '${tracking}'\nimport { runFiles } from '${runner}'\nawait runFiles(${JSON.stringify(folder)}, ${JSON.stringify(files)})\n`,
  )
  return path
}

const slowest = (durations: ReadonlyMap<string, number>): string =>
  [...durations]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, slowestShown)
    .map(([name, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)
    .join('\n')
