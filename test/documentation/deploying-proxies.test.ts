import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haproxy, nginx, startProxyProgram } from '../support/deploy/proxy-program.ts'
import { blocksOf, readPage } from '../support/documentation/page-blocks.ts'
import { isInstalled } from '../support/installed.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const blocks = blocksOf(await readPage('docs/guides/deploying.md'))

/** The proxies of the guide, and how the block of each begins. */
const proxies = [
  { program: nginx, block: 'upstream tenantry {' },
  { program: haproxy, block: 'backend tenantry\n' },
]

for (const { program, block } of proxies) {
  test(`${program.name} as the guide configures it replaces the X-Forwarded-For of clients`, {
    skip: !isInstalled(program.name, '-v') && `${program.name} is not installed`,
  }, async () => {
    await using service = await startTestService({ limitsText: '', trustedProxies: '127.0.0.1' })
    const { key } = await service.addTenant()
    const { text } = blocks.find((each) => each.text.includes(block)) ?? assert.fail(block)
    const part = text.replaceAll(/10\.0\.0\.[12]:4000/g, new URL(service.baseUrl).host)
    await using proxy = await startProxyProgram(program, part)
    const remaining = async (address: string): Promise<string> => {
      const answer = await fetch(`${proxy.baseUrl}/otp/status`, {
        method: 'POST',
        headers: { 'x-tenant-key': key, 'content-type': 'application/json', 'x-forwarded-for': address },
        body: '{}',
      })
      assert.equal(answer.status, 400)
      return /r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1] ?? assert.fail('no RateLimit')
    }
    await until(async () => (await fetch(`${proxy.baseUrl}/readyz`).catch(() => null))?.status === 200, 20_000)
    const counts = [await remaining('198.51.100.1'), await remaining('198.51.100.2')].map(Number)
    assert.equal(counts[1], counts[0]! - 1)
  })
}
