import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { type PostgresServer, startOwnPostgres } from '../support/databases/postgres-server.ts'
import { blocksOf, readPage, sectionsOf } from '../support/documentation/page-blocks.ts'
import { type PageServer, startPageServer } from '../support/documentation/page-server.ts'

const page = await readPage('docs/guides/moving-to-postgresql.md')
const sectionOf = sectionsOf(page)
const [prepare = '', grant = ''] = blocksOf(page).flatMap(({ language, text }) => (language === 'sql' ? [text] : []))
const password = 'a password of the database'

// Roles belong to the whole server.
let postgres: PostgresServer
let server: PageServer
before(async () => {
  postgres = await startOwnPostgres()
  const { host } = new URL(postgres.url)
  const settings = { TENANTRY_PUBLIC_URL: 'http://accounts.test', PGPASSWORD: password }
  server = await startPageServer(settings, () => ({ 'db.example.com': host }))
})
after(async () => {
  await server?.[Symbol.asyncDispose]()
  await postgres?.close()
})

/** Runs SQL as a superuser, each statement alone: databases are not created in transactions. */
async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  for (const statement of sql.replaceAll(/ *--.*$/gm, '').split(/;\s*/)) {
    if (statement !== '') await client.query(statement.replace("'…'", `'${password}'`))
  }
  await client.end()
}

test('copies as a user that may not create roles, after the SQL for it', async () => {
  await administer(prepare.replace(' CREATEROLE', ''))
  await server.runPage(sectionOf('1. Prepare'))
  const [copy = assert.fail()] = blocksOf(sectionOf('2. Copy while servers run'))
  await assert.rejects(server.run(copy.text), /tenantry_tenant/)
  await administer(grant)
  assert.match(await server.run(copy.text), /^Copied; source and target are identical/)
  await administer('DROP DATABASE tenantry WITH (FORCE); DROP ROLE tenantry_tenant; DROP ROLE tenantry')
})

test('the commands of the guide move users, sessions and pending codes, and print what it shows', async () => {
  await administer(prepare)
  const [, tenantKey = ''] = /tenant key\s+(\S+)/.exec(server.server.output()) ?? []
  const clientOf = () => createTenantryClient({ baseUrl: server.server.baseUrl, tenantKey })
  const person = { method: 'password', email: 'ada@example.com', password: 'a long first one' } as const
  const { refreshToken } = await clientOf().signUp(person)
  await server.runPage(sectionOf('1. Prepare'))
  await server.runPage(sectionOf('2. Copy while servers run'))
  const { id } = await clientOf().resetPassword({ step: 'challenge', email: person.email })
  await server.runPage(sectionOf('3. Stop, copy again, start'), {
    'stop every server': async () => server.server[Symbol.asyncDispose](),
    'start the servers with DATABASE_URL=$TO': async () => {
      await server.runPage(sectionOf('Checking'))
      await server.restart({ DATABASE_URL: (await server.run('echo $TO')).trim() })
    },
  })
  assert.ok((await clientOf().signIn(person)).accessToken)
  assert.ok((await clientOf().refreshSession({ refreshToken })).accessToken)
  const inbox =
    'curl -s "$API/admin/testing-channel/messages?recipient=ada@example.com" -H "Authorization: Bearer $ADMIN"'
  const code = /"code":"(\d+)"/.exec(await server.run(inbox))?.[1] ?? ''
  assert.ok((await clientOf().verifyOtp({ id, scope: 'reset_password', code })).success)
  const [check = assert.fail()] = blocksOf(sectionOf('Checking'))
  await assert.rejects(server.run(check.text), /Source and target differ/)
})
