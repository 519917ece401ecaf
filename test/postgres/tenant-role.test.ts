import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { newTenant, userOf } from '../../server/storage/suite/samples.testkit.ts'
import { createNode } from '../support/databases/standby.ts'

test('grants the tenant role to a user that created it but is not a member', async () => {
  const node = await createNode()
  try {
    await node.start()
    await node.ask("CREATE ROLE maker LOGIN CREATEROLE PASSWORD 'secret'")
    await node.ask('CREATE DATABASE made OWNER maker')
    await node.ask('SET ROLE maker; CREATE ROLE tenantry_tenant NOLOGIN NOINHERIT; RESET ROLE')
    const storage = await openPostgresStorage({ url: `postgres://maker:secret@127.0.0.1:${node.port}/made` })
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'u' }), null)
    assert.equal((await users.find('u'))?.id, 'u')
    await storage.close()
  } finally {
    await node.remove()
  }
})
