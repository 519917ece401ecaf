import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { CuttingProxy } from '../postgres/cutting-proxy.ts'
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let server: PostgresServer
let proxy: CuttingProxy
let service: TestService
let tenant: TestTenant
before(async () => {
  server = await startPostgres()
  proxy = await CuttingProxy.start(await server.createDatabase())
  service = await startTestService({ storage: await openPostgresStorage({ url: proxy.url }) })
  tenant = await service.addTenant({ methods: ['guest', 'otp'] })
})
after(async () => {
  await service.close()
  await proxy[Symbol.asyncDispose]()
  await server.close()
})

/** One act of each kind of count: users are totals, codes are acts. */
async function act(): Promise<void> {
  await tenant.client.signIn({ method: 'guest' })
  await tenant.client.issueOtp({ scope: 'otp_signin', email: 'ada@example.com' })
}
async function stored() {
  const { counts } = service.service.services.storage.forTenant(tenant.tenantId)
  const own = service.service.services.storage.system.counts
  const sum = (halfHours: readonly { readonly codes: number }[]) => halfHours.reduce((all, { codes }) => all + codes, 0)
  return {
    codes: sum(await counts.halfHoursSince(0)),
    ownCodes: sum(await own.halfHoursSince(0)),
    users: (await counts.totals())!.users,
  }
}
type Stored = Awaited<ReturnType<typeof stored>>

for (const [statement, counted] of [
  ['count.addActs', 'codes'],
  ['count.addOwnActs', 'ownCodes'],
  ['count.addTotals', 'users'],
] as const satisfies [string, keyof Stored][]) {
  test(`${statement}: an answer that is lost after the COMMIT counts nothing twice`, async () => {
    const { counts } = service.service.services
    await counts.flush()
    const before = await stored()
    const expected = { codes: before.codes + 1, ownCodes: before.ownCodes + 1, users: before.users + 1 }
    await act()
    const cut = proxy.cut({ statement, at: 'after COMMIT' })
    await counts.flush()
    await cut
    await counts.flush()
    assert.deepEqual(await stored(), expected)
  })

  test(`${statement}: a COMMIT that never arrives loses these counts alone`, async () => {
    const { counts } = service.service.services
    const before = await stored()
    await act()
    const cut = proxy.cut({ statement, at: 'before COMMIT' })
    await counts.flush()
    await cut
    await counts.flush()
    const all = { codes: before.codes + 1, ownCodes: before.ownCodes + 1, users: before.users + 1 }
    assert.deepEqual(await stored(), { ...all, [counted]: before[counted] })
  })

  test(`${statement}: a connection that is cut before the COMMIT loses nothing`, async () => {
    const { counts } = service.service.services
    const before = await stored()
    await act()
    const cut = proxy.cut({ statement, at: 1 })
    await counts.flush()
    await cut
    assert.deepEqual(await stored(), {
      codes: before.codes + 1,
      ownCodes: before.ownCodes + 1,
      users: before.users + 1,
    })
  })
}
