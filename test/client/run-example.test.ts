import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readKeptSecrets } from '../../server/settings/kept-secrets.ts'
import { freePort } from '../support/free-port.ts'
import { runProgram } from '../support/local-server.ts'
import { until } from '../support/until.ts'

test('npm run example serves the app beside a server that it starts, and ends with it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-example-'))
  t.after(() => rm(folder, { recursive: true }))
  const [port, appPort] = [await freePort(), await freePort()]
  await using example = runProgram('examples/react/start.ts', [], folder, {
    ...{ PORT: String(port), EXAMPLE_PORT: String(appPort), DATABASE_URL: `sqlite:${folder}/tenantry.db` },
    // As in a `.env` for a phone in the network.
    HOST: '127.0.0.2',
  })
  const hasEnded = example.ended.then(() => assert.fail(example.output()))
  await Promise.race([until(() => /The example is on/.test(example.output()), 60_000), hasEnded])
  const app = `http://127.0.0.1:${appPort}`
  assert.ok(example.output().includes(`The example is on ${app}/`), example.output())
  assert.match(await (await fetch(app)).text(), /<script type="module" src="\/src\/main\.tsx">/)
  const main = await fetch(`${app}/src/main.tsx`)
  assert.equal(main.status, 200)
  const key = readKeptSecrets(join(folder, 'secrets.json')).demo!.tenantKey
  const source = await (await fetch(`${app}/src/session.ts`)).text()
  assert.ok(source.includes(key) && source.includes(`http://127.0.0.1:${port}`), source)
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
  hasEnded.catch(() => {})
  example.child.kill('SIGTERM')
  // The streams of the process are those of its server too, so both have ended.
  await example.ended
  await assert.rejects(fetch(`http://127.0.0.1:${port}/readyz`))
})

test('npm run example that fails ends the server that it started', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-example-'))
  t.after(() => rm(folder, { recursive: true }))
  const settings = { TENANTRY_ENVIRONMENT: 'staging', TENANTRY_ADMIN_KEY: 'a'.repeat(32) }
  const example = runProgram('examples/react/start.ts', [], folder, {
    ...{ PORT: String(await freePort()), EXAMPLE_PORT: String(await freePort()), ...settings },
    DATABASE_URL: `sqlite:${folder}/tenantry.db`,
  })
  const [code] = await once(example.child, 'exit')
  assert.equal(code, 1, example.output())
  assert.match(example.output(), /has no demo tenant/)
  const server = Number(/"pid":(\d+)/.exec(example.output())?.[1])
  t.after(() => isRunning(server) && process.kill(server, 'SIGKILL'))
  await until(() => !isRunning(server))
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
