import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ComponentType } from '../../contract/profile-schema.ts'
import { secretsPath } from '../../server/settings/kept-secrets.ts'
import { startPostgres } from '../support/databases/postgres-server.ts'
import { freePort } from '../support/free-port.ts'
import { listenOnLoopback } from '../support/loopback.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const script = (path: string) => join(root, path)

let folder: string
let databasePath: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-start-'))
  databasePath = join(folder, 'data', 'tenantry.db')
})

after(() => rm(folder, { recursive: true, force: true }))

/** The environment without Tenantry's variables, plus the given ones. */
const environment = (settings: Record<string, string>) => {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(TENANTRY_|PORT$|HOST$|ADMIN_|DATABASE_URL$|LOG_LEVEL$)/.test(name),
  )
  return { ...Object.fromEntries(inherited), ...settings }
}

interface Running {
  readonly child: ChildProcess
  readonly baseUrl: string
  readonly output: string
}

/** Starts the server as `npm start` does, in `folder`, on a free port, and waits for its output. */
async function start(settings: Record<string, string> = {}): Promise<Running> {
  const env = environment({ PORT: '0', ...settings })
  const child = spawn(process.execPath, [script('server/start.js')], { cwd: folder, env })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  while (!output.endsWith('\n\n')) await once(child.stdout, 'data')
  return { child, baseUrl: /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '', output }
}

async function stop({ child }: Running): Promise<unknown> {
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  return code
}

/** Runs a program until it exits. */
async function run(
  command: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ code: unknown; output: string }> {
  const child = spawn(command, args, { cwd: folder, env: environment(env) })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}

test('the first startup creates database, secrets and demo tenant, and prints the next steps with a working curl', async () => {
  const server = await start()
  try {
    // Double quotes, which every shell understands.
    const curl = /curl -s (\S+) -H "([^:]+): ([^"]+)"/.exec(server.output)
    assert.ok(curl, server.output)
    const [, url = '', header = '', key = ''] = curl
    const answer = await fetch(url, { headers: { [header]: key } })
    assert.equal(answer.status, 200)
    const { profileSchema } = (await answer.json()) as { profileSchema: { components: { type: string }[] } }
    const shown = new Set(profileSchema.components.map(({ type }) => type))
    assert.deepEqual([...shown].sort(), [...ComponentType.options].sort(), 'every component type is shown')
    assert.match(server.output, /^ {2}admin key {3}\S{32,}$/m)
    assert.match(server.output, /\/docs/)
    const [, consoleUrl = ''] = /^ {2}console {5}(\S+)$/m.exec(server.output) ?? []
    assert.notEqual((await fetch(consoleUrl)).status, 404)
    for (const path of [databasePath, secretsPath(databasePath)]) {
      assert.equal((await stat(path)).mode & 0o777, 0o600, `${path} is its owner's alone`)
    }
    assert.equal((await stat(dirname(databasePath))).mode & 0o777, 0o700)
  } finally {
    assert.equal(await stop(server), 0, 'SIGTERM ends it with 0')
  }
})

test('a later startup keeps secrets and demo tenant, and the demo runs against it', async () => {
  const server = await start()
  try {
    const demo = await run(process.execPath, [script('demo/demo.ts')], { TENANTRY_URL: server.baseUrl })
    assert.equal(demo.code, 0, demo.output)
    assert.match(demo.output, /Demo finished: every response was as expected/)
    const again = await run(process.execPath, [script('demo/demo.ts')], { TENANTRY_URL: server.baseUrl })
    assert.equal(again.code, 0, 'the demo can be repeated')
  } finally {
    await stop(server)
  }
})

test('a startup after one that ended while it created the demo tenant creates it again', async () => {
  const settings = { DATABASE_URL: 'sqlite:./data/interrupted/tenantry.db' }
  const path = join(folder, 'data', 'interrupted', 'secrets.json')
  const first = await start(settings)
  await stop(first)
  const { demo, ...secrets } = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...secrets, unfinishedDemo: demo.tenantId }))
  const second = await start(settings)
  try {
    const [, key = ''] = /tenant key\s+(\S+)/.exec(second.output) ?? []
    const statusWith = async (tenantKey: string) => {
      const url = `${second.baseUrl}/tenant-configuration`
      return (await fetch(url, { headers: { 'X-Tenant-Key': tenantKey } })).status
    }
    assert.deepEqual([await statusWith(key), await statusWith(demo.tenantKey)], [200, 401])
  } finally {
    await stop(second)
  }
  const kept = JSON.parse(await readFile(path, 'utf8'))
  assert.deepEqual(Object.keys(kept), ['masterKeys', 'adminKey', 'demo'])
})

test('does not print the demo tenant of another database', async () => {
  const other = await start({ DATABASE_URL: 'sqlite:./data/other.db' })
  await stop(other)
  const server = await start()
  await stop(server)
  assert.match(other.output, /tenant key/)
  assert.match(server.output, /admin key/)
  assert.doesNotMatch(server.output, /tenant key|demo/)
})

test('does not print an admin key that is set', async () => {
  const key = 'a-key-of-the-operator-of-at-least-32-characters'
  const server = await start({ TENANTRY_ADMIN_KEY: key, DATABASE_URL: 'sqlite:./data/own-key.db' })
  try {
    assert.match(server.output, /^ {2}tenant key {2}\S+$/m)
    assert.ok(!server.output.includes('admin key') && !server.output.includes(key), server.output)
  } finally {
    await stop(server)
  }
})

test('with ADMIN_PORT creates the demo tenant there and prints the address, and the demo finds it', async () => {
  const ADMIN_PORT = String(await freePort())
  const server = await start({ ADMIN_PORT, DATABASE_URL: 'sqlite:./apart/tenantry.db' })
  try {
    assert.match(server.output, new RegExp(`^ {2}admin API {3}http://127\\.0\\.0\\.1:${ADMIN_PORT}$`, 'm'))
    assert.match(server.output, new RegExp(`^ {2}console {5}http://127\\.0\\.0\\.1:${ADMIN_PORT}/console/$`, 'm'))
    const TENANTRY_SECRETS = join(folder, 'apart', 'secrets.json')
    const env = { TENANTRY_URL: server.baseUrl, ADMIN_PORT, TENANTRY_SECRETS }
    const demo = await run(process.execPath, [script('demo/demo.ts')], env)
    assert.equal(demo.code, 0, demo.output)
  } finally {
    await stop(server)
  }
})

test('the demo exits 1 with a reason when no server answers', async () => {
  const demo = await run(process.execPath, [script('demo/demo.ts')], { TENANTRY_URL: 'http://127.0.0.1:1' })
  assert.equal(demo.code, 1)
  assert.match(demo.output, /No response from http:\/\/127\.0\.0\.1:1[\s\S]*give the demo the same PORT/)
  const wrong = await run(process.execPath, [script('demo/demo.ts')], { TENANTRY_URL: 'localhost' })
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /^\nDemo failed: TENANTRY_URL must be a URL such as \S+, not "localhost"\n$/)
})

test('the demo names the file that has no demo tenant', async () => {
  const TENANTRY_SECRETS = join(folder, 'elsewhere.json')
  const demo = await run(process.execPath, [script('demo/demo.ts')], { TENANTRY_SECRETS })
  assert.equal(demo.code, 1)
  assert.ok(demo.output.includes(`${TENANTRY_SECRETS} has no demo tenant; run "npm start" first, or set`), demo.output)
})

test('names the setting of a port that is in use, and of a host of another machine', async () => {
  await using taken = createServer()
  const port = await listenOnLoopback(taken)
  for (const [settings, problem] of [
    [{ PORT: `${port}` }, `PORT: port ${port} of 127.0.0.1 is in use; stop the program that uses it, or set PORT`],
    [{ PORT: '0', ADMIN_PORT: `${port}` }, `ADMIN_PORT: port ${port} of 127.0.0.1 is in use;`],
    [{ PORT: '0', METRICS_PORT: `${port}` }, `METRICS_PORT: port ${port} of 127.0.0.1 is in use;`],
    [{ PORT: '0', HOST: '192.0.2.1' }, 'HOST: 192.0.2.1 is not an address of this machine; use 127.0.0.1'],
  ] as const) {
    const { code, output } = await run(process.execPath, [script('server/start.js')], settings)
    assert.equal(code, 1)
    assert.ok(output.includes(`Tenantry failed to start:\n  ${problem}`), output)
  }
})

test('reports all invalid settings at once and does not start', async () => {
  const { code, output } = await run(process.execPath, [script('server/start.js')], {
    PORT: 'eighty',
    TENANTRY_ENVIRONMENT: 'production',
    TENANTRY_LIMITS: 'resent=3/h',
    DATABASE_URL: 'mysql://x',
  })
  assert.equal(code, 1)
  const ours = ['LIMITS', 'ADMIN_KEY', 'MASTER_KEYS', 'PUBLIC_URL'].map((name) => `TENANTRY_${name}`)
  for (const name of ['PORT', 'DATABASE_URL', ...ours]) {
    assert.match(output, new RegExp(`^ {2}${name}: `, 'm'), output)
  }
  assert.doesNotMatch(output, /at .*\.ts:/, 'no stack')
})

test('logs a warning about the settings, even if startup fails', async () => {
  await using server = await startPostgres()
  // Startup would wait for a server that does not answer.
  const DATABASE_URL = Object.assign(new URL(server.url), { password: 'secret', pathname: '/missing' }).href
  const { code, output } = await run(process.execPath, [script('server/start.js')], { DATABASE_URL })
  assert.equal(code, 1)
  assert.match(output, /"level":40,.*"msg":"TENANTRY_PUBLIC_URL: not set/)
  assert.doesNotMatch(output, /secret@/)
})

test('warns at startup when no anchor of event logs can be stored', async () => {
  const warningWith = async (path: string) => {
    const TENANTRY_EVENTS_ANCHOR = pathToFileURL(join(folder, path)).href
    const settings = { DATABASE_URL: `sqlite:${folder}`, TENANTRY_EVENTS_ANCHOR }
    const { code, output } = await run(process.execPath, [script('server/start.js')], settings)
    assert.equal(code, 1)
    return /"level":40,.*"msg":"TENANTRY_EVENTS_ANCHOR: (.*?)"/.exec(output)?.[1]
  }
  assert.equal(
    await warningWith('missing/heads'),
    'heads of event logs cannot be stored (ENOENT); create the folder, or mount it, and let the server write to it',
  )
  assert.equal(await warningWith('.'), 'names a folder; heads of event logs need a file in it')
  execFileSync('mkfifo', [join(folder, 'pipe')])
  assert.equal(await warningWith('pipe'), 'names a pipe or a device; heads of event logs need a file')
  assert.equal(await warningWith('heads'), undefined)
})
