import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { isCurrent } from '../../server/startup/bundle.js'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '../..')

/** Node's arguments: the server from its sources, without Node's TypeScript compiler, which it loads for a script that needs it. */
const fromSources = ['--input-type=module', '--eval', `await import('${pathToFileURL(join(root, 'server/main.ts'))}')`]

/** Starts the server, asks for one answer, stops it, and returns what it loaded. */
async function loadedIn(folder: string, script: readonly string[]): Promise<string> {
  const port = await freePort()
  const file = join(folder, 'loaded')
  const env = {
    ...{ PATH: process.env['PATH'], TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    ...{
      PORT: String(port),
      TENANTRY_ENVIRONMENT: 'staging',
      TENANTRY_ADMIN_KEY: 'k'.repeat(32),
      LOADED_MODULES: file,
    },
    ...{ DATABASE_URL: `sqlite:${join(folder, 'tenantry.db')}`, TENANTRY_DRAIN_SECONDS: '0' },
  }
  const preloaded = pathToFileURL(join(root, 'test/support/record-modules.ts')).href
  const args = ['--import', preloaded, ...script]
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  await until(async () => {
    assert.equal(child.exitCode, null)
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    return answer?.status === 200
  })
  child.kill('SIGTERM')
  await exited
  return readFile(file, 'utf8')
}

/** The dependencies that each startup needs. Others are loaded with their first use, or where a setting asks for them. */
const needed = [
  '@node-rs/argon2',
  'close-with-grace',
  'fastify',
  'jose',
  'pino',
  'prom-client',
  're2js',
  'standardwebhooks',
  'zod',
]

/** What would come along with the index or the defaults of a dependency, or of Node, or too early from this repository. */
const unneeded = [
  ...[
    '/node_modules/ajv/',
    '/node_modules/@fastify/fast-json-stringify-compiler/',
    '/node_modules/@opentelemetry/api/',
  ],
  ...['internal/deps/undici/', 'internal/deps/amaro/'],
  ...['/server/http/openapi/openapi.ts', '/server/storage/postgres/postgres-storage.ts', '/demo/', '/packages/'],
]

test('startup loads nothing that its first response does not need', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-loaded-'))
  try {
    await loadedIn(folder, fromSources)
    // The second startup reads compiled code from the cache, and compiles no TypeScript.
    const loaded = await loadedIn(folder, fromSources)
    const has = (part: string) => loaded.includes(part)
    assert.ok(has('/server/startup/run.ts'))
    assert.deepEqual(
      Object.keys(packageJson.dependencies).filter((name) => has(`/node_modules/${name}/`)),
      needed,
    )
    assert.deepEqual(unneeded.filter(has), [])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('with the bundle, startup loads its files and the packages that it leaves out', async () => {
  // In a checkout with edits it is older than the sources.
  if (!isCurrent()) await promisify(execFile)(process.execPath, [join(root, 'launcher/bundle.mjs')])
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-loaded-'))
  try {
    const loaded = await loadedIn(folder, [join(root, 'server/start.js')])
    const files = loaded.split('\n').filter((line) => line.startsWith('file:') && !line.includes('/test/support/'))
    const others = files.filter((file) => !/\/(dist|node_modules\/(@node-rs|prom-client))\//.test(file))
    const paths = others.map((file) => relative(root, fileURLToPath(file)).replaceAll('\\', '/'))
    assert.deepEqual(paths, ['server/start.js', 'server/startup/bundle.js', 'server/startup/code-cache.js'])
    const built = files.filter((file) => file.includes('/dist/'))
    assert.ok(built.some((file) => file.endsWith('/dist/server.js')))
    // V8 keeps a file with other characters in two bytes each.
    const texts = await Promise.all(built.map((file) => readFile(fileURLToPath(file), 'latin1')))
    assert.deepEqual(
      built.filter((_, index) => /[\x80-\xff]/.test(texts[index]!)),
      [],
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})
