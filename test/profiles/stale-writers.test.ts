import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '../../server/core/service-error.ts'
import { saveProfile } from '../../server/profiles/save-profile.ts'
import { storedRows } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { startTestService } from '../support/service.ts'

const nick = { name: 'nick', type: 'text' } as const

test('writers that do not know a version that was built meanwhile claim for it all the same', async () => {
  await using service = await startTestService()
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const { snapshots, storage, clock } = service.service.services
  await service.admin.publishProfileSchema({ tenantId }, { components: [nick] })
  const [first, second] = [await addPerson(service, tenant), await addPerson(service, tenant)]
  await service.admin.updateUserProfile({ tenantId, userId: first.userId }, { nick: 'a' })
  const old = (await snapshots.find(tenantId))!
  await service.admin.publishProfileSchema({ tenantId }, { components: [{ ...nick, unique: true }] })

  const now = clock.now()
  const writer = { now, source: { now, background: old }, refuse, operator: true, maxBytes: 9_999 }
  const save = (userId: string, value: string) =>
    saveProfile(storage.forTenant(tenantId), userId, { nick: value }, old, writer)
  const claims = () =>
    storedRows(service, 'SELECT user_id FROM profile_unique WHERE tenant_id = ? ORDER BY user_id', tenantId)
  // A first profile and an update of it, and a profile that the build has marked.
  await assert.rejects(save(second.userId, 'A'), { code: 'VALIDATION_ERROR' })
  await save(second.userId, 'first')
  await save(second.userId, 'b')
  await assert.rejects(save(first.userId, 'B'), { code: 'VALIDATION_ERROR' })
  await save(first.userId, 'c')
  await service.admin.updateUserProfile({ tenantId, userId: second.userId }, { nick: 'a' })
  assert.equal(claims().length, 2)
})
