import assert from 'node:assert/strict'
import { resealAll } from '../../server/maintenance/reseal.ts'
import { useExecutor } from '../../server/maintenance/use-executor.ts'
import { createKeyring } from '../../server/secrets/keyring.ts'
import { parseSqliteUrl } from '../../server/settings/database-settings.ts'
import { openCanaries } from '../support/attacks/canaries.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { keyOf } from '../support/master-key.ts'
import type { TestService } from '../support/service.ts'
import { useEverything } from '../support/use-everything.ts'

/** The columns with texts that are encrypted with a master key, wherever in the column they are. */
function columnsSealedWith({ database }: TestService, keyId: string): string[] {
  const sealed = new RegExp(`\\b${keyId}\\.[\\w-]{38,}`)
  const found = Object.entries(database.everything()).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) => (sealed.test(String(value)) ? `${table}.${column}` : [])),
    ),
  )
  return [...new Set(found)].sort()
}

testOnSqliteAlone('the statements that it runs are those of both engines')(
  'a new master key leaves nothing encrypted with the old one, whatever the service stores',
  async (t) => {
    const canaries = await openCanaries()
    t.after(() => canaries[Symbol.asyncDispose]())
    await useEverything(canaries)
    const { service } = canaries
    const smtp = { type: 'smtp', host: 'mail.example', user: 'user', password: 'password of the sender' } as const
    await service.addTenant({ configuration: { delivery: { email: [smtp] } } })
    const tenant = await service.addTenant()
    const email = 'ada@example.com'
    await service.admin.createUser(tenant, { email }, { idempotencyKey: 'kept-answer' })
    await tenant.client.issueOtp({ scope: 'otp_signin', email })
    await service.service.services.delivery.drain()

    const [oldId = ''] = service.masterKeys.split(':')
    const before = columnsSealedWith(service, oldId)
    assert.ok(before.length > 5, before.join())
    const ring = createKeyring(`${keyOf('new', 2)},${service.masterKeys}`)
    const path = parseSqliteUrl(service.database.url)
    await useExecutor({ engine: 'sqlite', path }, (executor) => resealAll(executor, ring, service.clock.now()))
    const forgotten = columnsSealedWith(service, oldId)
    assert.deepEqual(forgotten, [], 'add a SealedKind for each column to server/maintenance/sealed-rows.ts')
    assert.deepEqual(columnsSealedWith(service, 'new'), before)
  },
)
