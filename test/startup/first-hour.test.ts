import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { runProgram, startLocalServer } from '../support/local-server.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '../..')
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-first-hour-'))
})
after(() => rm(folder, { recursive: true }))

test('a development server prints the codes that it sends', async () => {
  await using server = await startLocalServer(folder, { PORT: '0' })
  const demo = runProgram('demo/demo.ts', [], folder, { TENANTRY_URL: server.baseUrl })
  assert.equal(await demo.ended, 0, demo.output())
  const printed = /^Code for (ada\.\w+@example\.com) to reset the password: (\d{6})$/m
  await until(() => printed.test(server.output()))
  const [, , code] = printed.exec(server.output())!
  assert.ok(demo.output().includes(`"${code}"`), 'the code of the inbox')
})

test('the command that a development server prints for a refused page allows it', async () => {
  await using server = await startLocalServer(folder, { PORT: '0' })
  const [, key = ''] = /tenant key\s+(\S+)/.exec(server.output()) ?? []
  const allowedFor = async (origin: string) => {
    const headers = { 'x-tenant-key': key, origin }
    const answer = await fetch(`${server.baseUrl}/tenant-configuration`, { headers })
    return answer.headers.get('access-control-allow-origin')
  }
  const origins = ['http://app.test:3000', 'https://second.test']
  for (const origin of origins) {
    assert.equal(await allowedFor(origin), null)
    const advice = () => server.output().split(origin)[2]
    await until(() => advice()?.includes('--url') ?? false)
    const [command = ''] = server.output().match(new RegExp(`(?<=Allow it: ).*${origin}.*`)) ?? []
    // No quotes and no pipe, which shells of Windows read differently.
    assert.match(command, /^npm run -s tenantry -- configuration allow-origin \S+ --tenant \S+ --url \S+$/)
    // The same program, but in the folder that has this server's admin key.
    const script = command.replace('npm run -s tenantry --', `"${process.execPath}" "${root}/cli/tenantry.ts"`)
    await promisify(execFile)('sh', ['-c', script], { cwd: folder })
    assert.equal(await allowedFor(origin), origin)
  }
  assert.equal(await allowedFor(origins[0]!), origins[0], 'the first one is still allowed')
})
