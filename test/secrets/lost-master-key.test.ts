import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { readPage } from '../support/documentation/page-blocks.ts'
import { keyOf } from '../support/master-key.ts'
import { addPerson } from '../support/person.ts'
import { startTestService } from '../support/service.ts'

const page = await readPage('docs/guides/rotating-master-keys.md')
const statements = page.split('## A lost key\n')[1]!.match(/^DELETE .*(?=;$)/gm)!

test('goes on with a new master key after the statements of the guide', async () => {
  await using before = await startTestService({ masterKeys: keyOf('k1', 1) })
  const { database, clock } = before
  const tenant = await before.addTenant()
  const person = await addPerson(before, tenant)
  const { refreshToken } = await person.signIn()
  await before.service.services.events.drain()

  for (const statement of statements) await writeStored(before, statement)
  await using after = await startTestService({ database, clock, masterKeys: keyOf('k2', 2) })
  const client = createTenantryClient({ baseUrl: after.baseUrl, tenantKey: tenant.key })
  const { accessToken } = await client.refreshSession({ refreshToken })
  await client.withSession(accessToken).signOut()
  await after.service.services.events.drain()
  const { items } = await after.admin.listEvents(tenant, { type: 'session.ended' })
  assert.equal(items.length, 1)
})
