import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { promisify } from 'node:util'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { createDiskFixture, type DiskFixture, failingDisk, populate } from '../support/faults/disk-fixture.ts'

const test = testOnSqliteAlone('a PostgreSQL server syncs its own disk')

let fixture: DiskFixture
before(async () => {
  fixture = await createDiskFixture()
})
after(() => fixture.close())

for (const outcome of ['success', 'failure']) {
  test(`until its sync ends in ${outcome}, a write has no answer and reads show the state before it`, async (t) => {
    const folder = fixture.newFolder()
    const disk = await failingDisk(t, folder)
    if (disk === null) return
    const program = join(import.meta.dirname, 'blocked-sync-process.ts')
    const env = { ...process.env, ...disk.environment }
    const { stdout } = await promisify(execFile)(process.execPath, [program, join(folder, 'tenantry.db'), outcome], {
      env,
    })
    assert.equal(stdout, 'passed\n')
  })
}

test('requests that only read are answered during a sync', async (t) => {
  const folder = fixture.newFolder()
  const disk = await failingDisk(t, folder)
  if (disk === null) return
  const server = await fixture.start(folder, disk.environment)
  const { client, issue, delivered } = await populate(server)
  const first = await issue()
  await delivered(first.id)
  disk.fail('blocked fdatasync')
  let isAnswered = false
  const written = issue().then((otp) => {
    isAnswered = true
    return otp
  })
  for (let read = 0; read < 200; read++) await client.getTenantConfiguration({})
  assert.equal((await client.getOtpStatus({ id: first.id, scope: 'otp_signin' })).state, 'pending')
  assert.equal(isAnswered, false, 'the write was answered before its sync')
  disk.fail('none')
  const { id } = await written
  assert.equal((await client.getOtpStatus({ id, scope: 'otp_signin' })).state, 'pending')
  assert.equal(await server.end('SIGTERM'), 0)
})
