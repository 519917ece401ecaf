import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { runProgram, startLocalServer } from '../support/local-server.ts'

let home: string
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'tenantry-env-file-'))
})
after(() => rm(home, { recursive: true }))

async function folderWith(name: string, text: string): Promise<string> {
  const folder = join(home, name)
  await mkdir(folder)
  await writeFile(join(folder, '.env'), text)
  return folder
}

const programs = [['server/start.js'], ['cli/tenantry.ts', 'tenant', 'list'], ['demo/demo.ts']] as const

test('server, command line tool and demo follow PORT and DATABASE_URL in .env', async () => {
  const port = await freePort()
  const folder = await folderWith('followed', `PORT=${port}\nDATABASE_URL="sqlite:./db/tenantry.db" # kept\n`)
  await using server = await startLocalServer(folder, {})
  assert.equal(server.baseUrl, `http://127.0.0.1:${port}`)
  for (const [file, ...args] of programs.slice(1)) {
    const program = runProgram(file, [...args], folder, {})
    assert.equal(await program.ended, 0, program.output())
    assert.match(program.output(), /\bDemo\b/)
  }
})

test('the command line tool and the demo follow the same variables without .env', async () => {
  const folder = join(home, 'variables')
  await mkdir(folder)
  await writeFile(join(folder, 'key'), `${'k'.repeat(40)}\n`)
  const settings = {
    PORT: String(await freePort()),
    DATABASE_URL: 'sqlite:./db/tenantry.db',
    TENANTRY_ADMIN_KEY_FILE: 'key',
  }
  await using _ = await startLocalServer(folder, settings)
  for (const [file, ...args] of programs.slice(1)) {
    const program = runProgram(file, [...args], folder, settings)
    assert.equal(await program.ended, 0, program.output())
  }
})

test('a malformed .env is an error of each, by line and without its content', async () => {
  const folder = await folderWith('malformed', 'PORT=0\nTENANTRY_ADMIN_KEY: hidden\n')
  for (const [file, ...args] of programs) {
    const program = runProgram(file, [...args], folder, {})
    assert.equal(await program.ended, 1)
    assert.match(program.output(), /\.env: line 2 is not NAME=value; correct it/, file)
    assert.doesNotMatch(program.output(), /hidden|\n\s+at /)
  }
})

test('an unknown setting in .env is an error', async () => {
  const folder = await folderWith('unknown', 'TENANTRY_LIMIT=resend=off\n')
  const server = runProgram('server/start.js', [], folder, { PORT: '0' })
  assert.equal(await server.ended, 1)
  assert.match(server.output(), /TENANTRY_LIMIT: unknown setting; check the spelling/)
})

test('outside development warns when others can read .env, and logs none of its content', async () => {
  const key = 'k'.repeat(40)
  const folder = await folderWith('staging', `TENANTRY_ENVIRONMENT=staging\nTENANTRY_ADMIN_KEY=${key}\n`)
  for (const [mode, isPublic] of [
    [0o644, true],
    [0o600, false],
  ] as const) {
    await chmod(join(folder, '.env'), mode)
    await using server = await startLocalServer(folder, { PORT: '0', HOST: '127.0.0.1', TENANTRY_DRAIN_SECONDS: '0' })
    assert.match(server.output(), /"settings":2,"msg":"settings read from \.env"/)
    assert.equal(
      /\.env can be read by every user of this machine; run \\"chmod 600 \.env\\"/.test(server.output()),
      isPublic,
    )
    assert.ok(!server.output().includes(key))
  }
})

test('arguments, which programs that read settings would ignore, are an error without their values', async () => {
  for (const [file, usage] of [
    ['server/start.js', 'PORT=4010 npm start'],
    ['demo/demo.ts', 'PORT=4010 npm run demo'],
    ['examples/react/start.ts', 'EXAMPLE_PORT=5180 npm run example'],
  ] as const) {
    const program = runProgram(file, ['--key=hidden', '5000'], home, {})
    assert.equal(await program.ended, 1)
    assert.ok(program.output().includes('unknown argument "--key"; remove it'), program.output())
    assert.ok(program.output().includes(`such as "${usage}"`), program.output())
    assert.doesNotMatch(program.output(), /hidden|\n\s+at /)
  }
})
