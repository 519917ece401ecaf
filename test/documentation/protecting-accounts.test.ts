import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { budgets, limits } from '../../contract/limits.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { readPage } from '../support/documentation/page-blocks.ts'
import { startPageOnClock } from '../support/documentation/page-on-clock.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'

const path = 'docs/guides/protecting-accounts.md'
const page = await readPage(path)

test(`the commands of ${path} print what it shows`, async () => {
  // The times on the page are those of the tokens.
  const start = Number(/"auth_time":(\d+)/.exec(page)![1]) * 1000
  await using google = await startIdentityProvider('google')
  await using world = await startPageOnClock({ start, identityProviders: google.settings })
  const { service, demo } = world
  const { tenantId, tenantKey } = demo
  google.clock = service.clock

  /** What the page says was done before. */
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

  const step = 'FRESH=$(post /auth/step-up \'{"method": "google"'
  assert.equal(page.split(step).length, 2)
  await world.run(
    page.replace(step, () => `link_google $FRESH\n${step}`),
    { link_google: linkGoogle },
  )
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
