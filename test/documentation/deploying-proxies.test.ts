import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { blocksOf, readPage } from '../support/documentation/page-blocks.ts'
import { freePort } from '../support/free-port.ts'
import { isInstalled } from '../support/installed.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const blocks = blocksOf(await readPage('docs/guides/deploying.md'))

/** A proxy of the guide, and what its part of a configuration lacks to run without TLS in a folder. */
const proxies = [
  {
    program: 'nginx',
    block: 'upstream tenantry {',
    configure: (block: string, port: number, folder: string) => `
daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events {}
http {
access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
${block.replace('server {\n', `server {\nlisten 127.0.0.1:${port};\n`)}
}`,
    args: (file: string, folder: string) => ['-c', file, '-p', folder],
  },
  {
    program: 'haproxy',
    block: 'backend tenantry\n',
    configure: (block: string, port: number) => `
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 30s
frontend front
  bind 127.0.0.1:${port}
  default_backend tenantry
${block}`,
    args: (file: string) => ['-db', '-f', file],
  },
]

for (const { program, block, configure, args } of proxies) {
  test(`${program} as the guide configures it replaces the X-Forwarded-For of clients`, {
    skip: !isInstalled(program, '-v') && `${program} is not installed`,
  }, async (t) => {
    await using service = await startTestService({ limitsText: '', trustedProxies: '127.0.0.1' })
    const { key } = await service.addTenant()
    const folder = await mkdtemp(join(tmpdir(), `tenantry-${program}-`))
    t.after(() => rm(folder, { recursive: true }))
    const port = await freePort()
    const text = blocks.find((each) => each.text.includes(block))?.text ?? assert.fail(block)
    const file = join(folder, 'proxy.conf')
    await writeFile(
      file,
      configure(text.replaceAll(/10\.0\.0\.[12]:4000/g, new URL(service.baseUrl).host), port, folder),
    )
    const child = spawn(program, args(file, folder), { stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(child, 'exit')
    t.after(async () => {
      child.kill('SIGTERM')
      await ended
    })
    const remaining = async (address: string): Promise<string> => {
      const answer = await fetch(`http://127.0.0.1:${port}/otp/status`, {
        method: 'POST',
        headers: { 'x-tenant-key': key, 'content-type': 'application/json', 'x-forwarded-for': address },
        body: '{}',
      })
      assert.equal(answer.status, 400)
      return /r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1] ?? assert.fail('no RateLimit')
    }
    await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200, 20_000)
    const counts = [await remaining('198.51.100.1'), await remaining('198.51.100.2')].map(Number)
    assert.equal(counts[1], counts[0]! - 1)
  })
}
