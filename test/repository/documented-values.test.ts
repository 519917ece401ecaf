import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { areas, roles } from '../../contract/scopes.ts'
import { tenantCapabilities, userCapabilities } from '../../contract/tenants/capabilities.ts'
import { NoticeKind } from '../../contract/tenants/delivery-templates.ts'
import { SocialProvider } from '../../contract/tenants/tenant-configuration.ts'
import { OtpModule } from '../../contract/tenants/tenant-modules.ts'
import { sessionAbsoluteMs } from '../../server/accounts/sessions/session.ts'
import { languageTags } from '../../server/delivery/templates/languages/languages.ts'
import { knownNetworkMs } from '../../server/limits/known-networks.ts'
import { fieldKinds } from '../../server/profiles/schema/kinds.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const rules = read('docs/reference/api.md')

const all: readonly Operation[] = Object.values(operations)

/** The text of one rule of the API. */
const ruleText = (id: string): string => rules.split(`- **${id}**`)[1]!.split(/\n- \*\*|\n## /)[0]!

/** The texts in backticks, without what follows a space or `…`. */
const quoted = (text: string): string[] => Array.from(text.matchAll(/`([^`\s…]+)[^`]*`/g), ([, word]) => word!)

test('ENVELOPE-7 names every operation whose answers have no envelope', () => {
  const bare = all.filter((operation) => operation.envelope === false)
  assert.ok(bare.length > 5)
  const named = quoted(ruleText('ENVELOPE-7').replaceAll('GET ', ''))
  const missing = bare
    .map(({ path }) => path)
    .filter((path) => !named.some((one) => path === one || (one.endsWith('/') && path.startsWith(one))))
  assert.deepEqual(missing, [])
})

test('the page on idempotency keys names every operation that takes one, and no other', () => {
  const [, text = ''] = /## Idempotency keys\n([\s\S]*?)accept/.exec(rules) ?? []
  assert.deepEqual(
    Array.from(text.matchAll(/`POST ([^`]+)`/g), ([, path]) => path).sort(),
    all
      .filter((operation) => operation.idempotent)
      .map(({ path }) => path.replaceAll(/:(\w)\w*/g, '{$1}'))
      .sort(),
  )
})

test('OTP-5 has the default of every setting', () => {
  for (const [name, value] of Object.entries(OtpModule.parse({})))
    assert.ok(ruleText('OTP-5').includes(`| \`${name}\` | ${value} |`), name)
})

test('the guides to hardening and to production say how long a session is kept', () => {
  const kept = `${(sessionAbsoluteMs + knownNetworkMs) / 86_400_000} days after`
  for (const guide of ['hardening', 'going-to-production'])
    assert.match(read(`docs/guides/${guide}.md`), new RegExp(`sessions?\\b.*\\b${kept}`), guide)
})

test('AUTH-9 names every capability', () => {
  const [tenants = '', users = ''] = ruleText('AUTH-9').split('a user (')
  assert.deepEqual(quoted(tenants.split('tenant (')[1]!), [...tenantCapabilities])
  assert.deepEqual(quoted(users.split(')')[0]!), [...userCapabilities])
})

test('SIGNIN-7 names every identity provider, and README links its guide', () => {
  const rule = ruleText('SIGNIN-7').toLowerCase()
  for (const provider of SocialProvider.options) {
    assert.ok(rule.includes(provider), `SIGNIN-7 does not name ${provider}`)
    const guide = `sign-in-with-${provider}.md`
    assert.ok(read('README.md').includes(`](docs/guides/${guide})`), `README.md has no link to a guide ${guide}`)
  }
})

test('SCHEMA-4 and the guide to profile schemas have every type with its rules', () => {
  const guide = read('docs/guides/profile-schema.md').split('## 3. Types and rules')[1]!.split('## 4.')[0]!
  for (const table of [ruleText('SCHEMA-4'), guide]) {
    const rows = table.split('\n').filter((line) => line.trim().startsWith('|'))
    for (const [type, kind] of Object.entries(fieldKinds)) {
      const row = rows.find((line) => line.split('|')[1]!.includes(`\`${type}\``))
      assert.ok(row !== undefined, `SCHEMA-4 or docs/guides/profile-schema.md has no row for ${type}`)
      assert.deepEqual(
        Object.keys(kind.rules).filter((rule) => !row.includes(`\`${rule}\``)),
        [],
        `rules of ${type}`,
      )
    }
  }
})

test('OPERATOR-1 and the guide to operators name the areas whose scopes permit nothing', () => {
  const used = all.flatMap((operation) => operation.scope?.split(':')[0] ?? [])
  const unused = areas.filter((area) => !used.includes(area))
  const [, ofRule = ''] = /No operation needs a scope of the areas ([^.]+) yet/.exec(ruleText('OPERATOR-1')) ?? []
  const [, ofGuide = ''] = /scopes of ([^:]+) permit nothing yet/.exec(read('docs/guides/operators.md')) ?? []
  for (const named of [ofRule, ofGuide]) assert.deepEqual(quoted(named), unused)
})

test('OPERATOR-7 and the guide to operators have every role', () => {
  for (const page of [ruleText('OPERATOR-7'), read('docs/guides/operators.md')])
    for (const role of Object.keys(roles)) assert.ok(page.includes(`| \`${role}\` |`), role)
})

test('the guides name every kind of notice', () => {
  for (const page of ['first-e-mail-and-sms', 'protecting-accounts']) {
    const named = quoted(read(`docs/guides/${page}.md`))
    assert.deepEqual(
      NoticeKind.options.filter((kind) => !named.includes(kind)),
      [],
      page,
    )
  }
})

test('the guide to messages names every language with built-in texts', () => {
  const [sentence = ''] = /^.* are built in\./m.exec(read('docs/guides/first-e-mail-and-sms.md')) ?? []
  const names = new Intl.DisplayNames('en', { type: 'language' })
  assert.deepEqual(
    languageTags.filter((tag) => !sentence.includes(names.of(tag)!)),
    [],
  )
})

test('the guide to CORS names the headers that pages may send and read', () => {
  const source = read('server/http/cors.ts')
  const [, exposed = ''] = /const exposed = '([^']+)'/.exec(source) ?? []
  const [, allowed = ''] = /const allowedHeaders =\s+'([^']+)'/.exec(source) ?? []
  const guide = read('docs/guides/cors.md')
  const listed = (name: string) => quoted(guide.split(`**${name}**`)[1]!.split(/\n- |\n\n/)[0]!)
  assert.deepEqual(listed('Request headers').sort(), allowed.split(', ').sort())
  assert.deepEqual(listed('Response headers').sort(), exposed.split(', ').sort())
})

test('the guide to distributed databases has the sizes of the largest transactions', () => {
  const row = read('docs/guides/distributed-databases.md')
    .split('\n')
    .find((line) => line.startsWith('| At most 3,000 rows'))!
  for (const [file, name, what] of [
    ['server/events/relay.ts', 'usualSize', 'events'],
    ['server/events/relay.ts', 'largeSize', ''],
    ['server/delivery/outbox-worker.ts', 'mostRecorded', 'results'],
    ['server/delivery/outbox-worker.ts', 'batchSize', 'claims'],
    ['server/housekeeping/purge-tasks.ts', 'batch', ''],
  ] as const) {
    const [, size = ''] = new RegExp(`const ${name} = ([\\d_]+)`).exec(read(file)) ?? []
    assert.match(row, new RegExp(`\\b${size.replace('_', ',')}\\b ?${what}`), `${name} of ${file} is ${size}`)
  }
})
