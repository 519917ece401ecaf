import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'

/** A checkout of the launcher and two programs. */
let root: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenantry-launcher-'))
  await cp(join(import.meta.dirname, '../../launcher'), join(root, 'launcher'), { recursive: true })
  await writeFile(join(root, 'report.mjs'), report)
  await writeFile(join(root, 'older.mjs'), older)
})
after(() => rm(root, { recursive: true }))

/** Prints how it runs. With `wait`, it ends with 7 at SIGTERM; with `die`, it is killed by a signal. */
const report = `
  const { pid, version, execArgv } = process
  const args = process.argv.slice(2)
  if (args.includes('wait')) {
    process.on('SIGTERM', () => process.exit(7))
    setTimeout(() => process.exit(8), 60_000)
  }
  console.log(JSON.stringify({ pid, version, execArgv, file: process.argv[1], args }))
  if (args.includes('die')) process.kill(pid, 'SIGUSR2')`

/** Preloaded: this process is an older Node, with or without \`process.execve\`; the one it starts is not. */
const older = `
  const { OLDER_NODE, HAS_EXECVE } = process.env
  if (OLDER_NODE) {
    delete process.env.OLDER_NODE
    Object.defineProperty(process, 'version', { value: OLDER_NODE })
    if (!HAS_EXECVE) process.execve = undefined
  }`

const flag = '--max-semi-space-size=4'

function launch(args: string[], env: Record<string, string> = {}): ChildProcess {
  const preload = env['OLDER_NODE'] ? ['--import', join(root, 'older.mjs')] : []
  const command = [flag, ...preload, join(root, 'launcher/launch.mjs'), 'report.mjs', ...args]
  return spawn(process.execPath, command, { env: { PATH: process.env['PATH'], ...env }, cwd: tmpdir() })
}

async function readReport(child: ChildProcess) {
  const [line] = await once(child.stdout!.setEncoding('utf8'), 'data')
  return JSON.parse(line)
}

/** Installs the Node of this test as the bundled one. */
async function bundle(): Promise<AsyncDisposable> {
  const folder = join(root, `node_modules/node-linux-${process.arch}/bin`)
  await mkdir(folder, { recursive: true })
  await symlink(process.execPath, join(folder, 'node'))
  return { [Symbol.asyncDispose]: () => rm(join(root, 'node_modules'), { recursive: true }) }
}

test('runs a file in its own process, with its arguments and the flags of Node', async () => {
  const child = launch(['one', '--two'])
  const { pid, execArgv, file, args } = await readReport(child)
  assert.equal(pid, child.pid)
  assert.deepEqual([execArgv, file, args], [[flag], join(root, 'report.mjs'), ['one', '--two']])
})

test('an older Node that can replace its process becomes the bundled one', async () => {
  await using _ = await bundle()
  const child = launch(['one'], { OLDER_NODE: 'v22.15.0', HAS_EXECVE: '1' })
  const errors = text(child.stderr!)
  const { pid, version, execArgv, args } = await readReport(child)
  assert.deepEqual([pid, version, args], [child.pid, process.version, ['one']])
  assert.ok(execArgv.includes(flag))
  assert.equal(await errors, '')
})

test('an older Node that cannot replace its process passes on signals and the exit', async () => {
  await using _ = await bundle()
  const env = { OLDER_NODE: 'v20.20.2' }
  const waiting = launch(['wait'], env)
  const { pid, version, execArgv } = await readReport(waiting)
  assert.notEqual(pid, waiting.pid)
  assert.equal(version, process.version)
  assert.ok(execArgv.includes(flag))
  waiting.kill('SIGTERM')
  assert.deepEqual(await once(waiting, 'exit'), [7, null])

  const dying = launch(['die'], env)
  assert.deepEqual(await once(dying, 'exit'), [null, 'SIGUSR2'])
})

test('names both versions when the Node is too old and no other is installed', async () => {
  const child = launch([], { OLDER_NODE: 'v20.20.2' })
  const [errors, output] = await Promise.all([text(child.stderr!), text(child.stdout!)])
  assert.match(errors, /^Tenantry needs Node 24 or later; this is v20\.20\.2\nInstall it from /)
  assert.equal(output, '')
  assert.equal(child.exitCode ?? (await once(child, 'exit'))[0], 1)
})

test('a server that is started without the launcher names both versions', async () => {
  const start = join(import.meta.dirname, '../../server/start.js')
  const child = spawn(process.execPath, ['--import', join(root, 'older.mjs'), start], {
    env: { PATH: process.env['PATH'], OLDER_NODE: 'v18.20.4', DATABASE_URL: 'nothing' },
  })
  const [errors] = await Promise.all([text(child.stderr), once(child, 'exit')])
  assert.equal(errors, `Tenantry needs Node 24 or later; ${process.execPath} is v18.20.4\n`)
  assert.equal(child.exitCode, 1)
})

test('ends when npm has ended the shell of its script', async () => {
  const launcher = join(root, 'launcher/launch.mjs')
  // The second command keeps shells from replacing themselves by the first.
  const command = `"${process.execPath}" "${launcher}" report.mjs wait; true`
  for (const npm of [true, false]) {
    const env = { PATH: process.env['PATH'], ...(npm && { npm_lifecycle_event: 'start' }) }
    const shell = spawn('sh', ['-c', command], { env })
    const { pid } = await readReport(shell)
    shell.kill('SIGTERM')
    await once(shell, 'exit')
    // Its standard output closes when it ends.
    const closed = once(shell, 'close')
    if (!npm) {
      const early = await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 300, 'running'))])
      // As with nohup: without npm, the end of the shell has no meaning.
      assert.equal(early, 'running')
      process.kill(pid, 'SIGTERM')
    }
    await closed
  }
})
