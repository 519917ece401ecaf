import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readDeployment } from '../support/deploy/deployment.ts'
import { readDeployFile, understand } from '../support/deploy/manifests.ts'
import { isInstalled } from '../support/installed.ts'

/** The longest shutdown after the drain, in seconds; test/deploy/deploy-stopping.test.ts compares it with the code. */
const closingSeconds = 15

const unit = await readDeployFile('systemd/tenantry.service')
const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)
const lines = (await readDeployFile('systemd/tenantry.env.example')).split('\n').filter((line) => /^\w/.test(line))
const env = Object.fromEntries(
  lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).replaceAll('"', '')]),
)

test('the server accepts the example settings and finds its secrets among the credentials', async (t) => {
  const { secrets, sqlite, close } = await readDeployment()
  t.after(close)
  const credentials = values('LoadCredential').map((value) => value.split(':')[0]!)
  const mounted = new Map(credentials.map((name) => [`/run/credentials/tenantry.service/${name}`, name]))
  // Also the sender: a server with a tenant that has none does not start again.
  assert.deepEqual(credentials, sqlite.services.tenantry.secrets)
  const { config, looked } = understand({ name: 'systemd', env, secrets: mounted }, secrets)
  assert.deepEqual(
    Object.keys(env).filter((name) => !looked.has(name)),
    [],
  )
  assert.equal(config.environment, 'production')
  // The ports of the checklist for production, on this machine only.
  assert.deepEqual([config.host, config.admin?.port, config.metricsPort], ['127.0.0.1', 4001, 9464])
  assert.ok(config.database.engine === 'sqlite' && config.database.path.startsWith(`${values('WorkingDirectory')[0]}/`))
  assert.equal(values('StateDirectory')[0], 'tenantry')
  assert.ok(Number(values('TimeoutStopSec')[0]) > config.drainSeconds + closingSeconds)
})

test('starts as npm start does, and restarts after a failure only', async () => {
  const { scripts } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'))
  // systemd is given Node 24 or later by its path, so the launcher is not needed.
  const command = values('ExecStart')[0]?.replace('/usr/bin/', '').replace('/opt/tenantry/', 'launcher/launch.mjs ')
  assert.equal(command, scripts.start)
  assert.deepEqual(values('Restart'), ['on-failure'])
})

test('keeps as few heaps of glibc as the image', async () => {
  const dockerfile = await readFile(join(import.meta.dirname, '../../Dockerfile'), 'utf8')
  assert.deepEqual(values('Environment'), [/^ENV (MALLOC_ARENA_MAX=.*)$/m.exec(dockerfile)?.[1]])
})

const analyze = (...args: string[]) => promisify(execFile)('systemd-analyze', args)

test('systemd accepts the unit and rates its exposure low', {
  skip: !isInstalled('systemd-analyze', '--version') && 'systemd-analyze is not installed',
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-systemd-'))
  t.after(() => rm(folder, { recursive: true }))
  // The program of the unit is not on this machine.
  await mkdir(join(folder, 'units'))
  const path = join(folder, 'units', 'tenantry.service')
  await writeFile(path, unit.replace('/usr/bin/node', process.execPath).replace(/^Documentation=.*\n/m, ''))
  const verified = await analyze('verify', '--man=no', path)
  assert.equal(
    verified.stderr
      .split('\n')
      .filter((line) => line.includes('tenantry.service'))
      .join('\n'),
    '',
  )
  const { stdout } = await analyze('security', '--offline=true', '--threshold=20', path)
  assert.match(stdout, /Overall exposure level for tenantry\.service: [01]\.\d OK/)
})
