import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTenantryAdmin, TenantryConnectionError } from '../../packages/client/src/admin.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { startServer } from '../support/faults/server-process.ts'
import { importInto, read } from '../support/import-into.ts'

test('after a kill during an import the rows so far are kept, and sending the file again imports the rest', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-import-'))
  const secrets = { adminKey: 'import-test-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }
  const rows = Array.from({ length: 450 }, (_, n) => ({ email: `${n}@example.com` }))
  let server = await startServer(folder, secrets)
  const connect = () => createTenantryAdmin({ baseUrl: server.baseUrl, adminKey: secrets.adminKey })
  try {
    const { id: tenantId } = await connect().createTenant({ name: 'Moved in' })
    const stored = async () => (await read(connect().exportUsers({ tenantId }))).length - 1
    async function* slowly() {
      yield* rows.slice(0, 350)
      while ((await stored()) < 300);
      await server.end('SIGKILL')
      yield* rows.slice(350)
    }
    await assert.rejects(importInto({ admin: connect() }, { tenantId }, slowly()), TenantryConnectionError)
    server = await startServer(folder, secrets)
    const kept = await stored()
    assert.ok(kept >= 300 && kept <= 350, String(kept))
    const { counts, errors } = await importInto({ admin: connect() }, { tenantId }, rows)
    assert.deepEqual(counts, { read: 450, imported: 450 - kept, failed: kept })
    assert.deepEqual(new Set(errors.map(({ code }) => code)), new Set(['EMAIL_ALREADY_REGISTERED']))
    assert.equal(await stored(), 450)
  } finally {
    await server.end('SIGKILL')
    await rm(folder, { recursive: true })
  }
})
