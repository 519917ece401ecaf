import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { budgets, limits } from '../../contract/limits.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { keepSecrets } from '../../server/settings/kept-secrets.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import { readPage } from '../support/page-blocks.ts'
import { runPageInOneShell } from '../support/page-shell.ts'
import { startTestService } from '../support/service.ts'

const path = 'docs/guides/protecting-accounts.md'
const page = await readPage(path)

/** `sleep` advances the clock of the service, and `link_google` does what the page says was done before. */
const preamble = `
sleep() { command curl -sf "$TEST/sleep" -d "$1"; }
link_google() { eval "$(command curl -sf "$TEST/link-google" -d "$1")"; }
`

test(`the commands of ${path} print what it shows`, async () => {
  await using stack = new AsyncDisposableStack()
  // The times on the page are those of the tokens.
  const start = Number(/"auth_time":(\d+)/.exec(page)![1]) * 1000
  const google = stack.use(await startIdentityProvider('google'))
  const service = stack.use(await startTestService({ start, identityProviders: google.settings, limitsText: '' }))
  google.clock = service.clock
  const { id: tenantId } = await service.admin.createTenant({ name: 'Demo' })
  const { key: tenantKey } = await service.admin.createTenantKey({ tenantId }, { name: 'web' })

  async function linkGoogle(accessToken: string): Promise<string> {
    const { auth } = await service.admin.readConfiguration({ tenantId })
    const methods = [...(auth?.methods ?? []), 'google']
    await service.admin.updateConfiguration(
      { tenantId },
      { auth: { methods, google: { clientIds: [google.clientId] } } },
    )
    const [linking, next] = ['n-1', 'n-2'] as const
    const sign = (nonce: string) => google.sign({ sub: '1', nonce: createHash('sha256').update(nonce).digest('hex') })
    const client = createTenantryClient({ baseUrl: service.baseUrl, tenantKey }).withSession(accessToken)
    await client.addIdentity({ method: 'google', idToken: await sign(linking), nonce: linking })
    return `ID_TOKEN='${await sign(next)}' NONCE='${next}'`
  }

  const acts: Record<string, (argument: string) => Promise<string>> = {
    '/link-google': linkGoogle,
    async '/sleep'(seconds) {
      service.clock.advance(Number(seconds) * 1000)
      await service.service.services.delivery.drain()
      return ''
    },
  }
  const world = createServer(async (request, response) => {
    const argument = Buffer.concat(await Array.fromAsync(request)).toString()
    const answer = await acts[request.url!]!(argument).catch((error: unknown) => `echo '${error}'; exit 1`)
    response.end(answer)
  })
  await new Promise<void>((resolve) => world.listen(0, '127.0.0.1', resolve))
  stack.defer(() => void world.close())

  const folder = await mkdtemp(join(tmpdir(), 'tenantry-page-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const demo = { tenantId, tenantKey, email: '', password: '' }
  keepSecrets(join(folder, 'data/secrets.json'), { adminKey: service.adminKey, demo })

  const step = 'FRESH=$(post /auth/step-up \'{"method": "google"'
  assert.equal(page.split(step).length, 2)
  const text = page.replace(step, () => `link_google $FRESH\n${step}`)
  const address = `TEST=http://127.0.0.1:${(world.address() as AddressInfo).port}\n`
  await runPageInOneShell({ server: service, folder }, text, address + preamble)
})

test('the guide shows the limits that the contract declares', () => {
  const [, section = ''] = page.split('## 8. Limits and lockout\n')
  const rows = section.split('\n').filter((line) => /^\|.*\(`[a-z-]+…?`\)/.test(line))
  const named = rows.map((row) => ({
    row: row.replaceAll(/ in an hour/g, '/h').replaceAll(/ in (\d+) min/g, '/$1m'),
    pattern: /\(`([a-z-]+…?)`\)/.exec(row)![1]!,
  }))
  const matches = (name: string, pattern: string) =>
    pattern.endsWith('…') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
  const patterns = named.map(({ pattern }) => pattern).toSorted((a, b) => b.length - a.length)
  for (const { row, pattern } of named) {
    const shown = Object.entries({ ...limits, ...budgets }).filter(
      ([name]) => patterns.find((other) => matches(name, other)) === pattern,
    )
    assert.notDeepEqual(shown, [], pattern)
    for (const [name, quota] of shown) {
      if (name !== 'sms-prefix-pause') assert.ok(row.includes(quota), `${name}: ${quota}`)
    }
  }
  assert.ok(named.length > 8, `${named.length}`)
})
