import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { listenOnLoopback } from '../../test/support/loopback.ts'
import { until } from '../../test/support/until.ts'

test('Ctrl-C keeps the previous file and leaves no part of an export, while the server sends nothing', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-interrupted-export-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'users.ndjson'), 'before')
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{"email":"ada@example.com"}\n')
  })
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  const words = ['user', 'export', '--tenant', '01M8HY1YRQWYJPJPYBY6NKJ0KW', '--url', url, '--output', 'users.ndjson']
  const child = spawn(process.execPath, [join(import.meta.dirname, '../tenantry.ts'), ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TENANTRY_ADMIN_KEY: 'k'.repeat(32) },
    stdio: 'ignore',
  })
  t.after(() => child.kill('SIGKILL'))
  await until(async () => (await readdir(folder)).some((name) => name.endsWith('.part')))
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGINT'])
  assert.deepEqual(await readdir(folder), ['users.ndjson'])
  assert.equal(await readFile(join(folder, 'users.ndjson'), 'utf8'), 'before')
})
