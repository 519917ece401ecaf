import assert from 'node:assert/strict'
import { listen } from '../support/events/event-reader.ts'
import { recordedAfter } from '../support/events/recorded-events.ts'
import { importInto, read } from '../support/import-into.ts'
import { until } from '../support/until.ts'
import type { Acts, ActsWorld } from './acts-world.testkit.ts'

const aTenant = ({ path: { tenantId } }: ActsWorld) => ({ log: tenantId, subject: `tenant ${tenantId}` })
const addCode = async ({ service, tenant: { client } }: ActsWorld) => {
  await client.issueOtp({ scope: 'otp_signin', email: 'reader@example.com' })
  await service.service.services.delivery.drain()
}

/** What imports, exports, test messages, the testing channel and the signing keys record. */
export const serviceActs: Readonly<Record<string, Acts>> = {
  importUsers: {
    'records the first stored batch, and the counts at the end': async (world, begin) => {
      begin()
      const rows = [
        { email: 'imported-1@example.com' },
        { email: 'imported-2@example.com' },
        { email: 'not an address' },
      ]
      await importInto(world.service, world.tenant, rows)
      const details = { imported: 2, failed: 1, complete: true }
      return [
        { type: 'users.import_started', ...aTenant(world) },
        { type: 'users.imported', ...aTenant(world), details },
      ]
    },
    'records nothing when nothing is stored': async (world, begin) => {
      begin()
      await importInto(world.service, world.tenant, [{ email: 'not an address' }])
      await read(world.admin.importUsers(world.path, [{ email: 'dry@example.com' }], { dryRun: 'true' }))
      return []
    },
  },
  exportUsers: {
    'records the export before its first line, and the count at the end': async (world, begin) => {
      const { items } = await world.admin.listUsers(world.path, { limit: 200 })
      begin()
      await read(world.admin.exportUsers(world.path, { sensitive: 'true' }))
      const what = { hashes: false, sensitive: true }
      return [
        { type: 'users.export_started', ...aTenant(world), details: what },
        { type: 'users.exported', ...aTenant(world), details: { ...what, users: items.length, complete: true } },
      ]
    },
    'records an export whose reader leaves': async (world, begin) => {
      const rows = Array.from({ length: 2_000 }, (_, index) => ({ email: `many-${index}@example.com` }))
      const { service } = world
      await importInto(service, world.tenant, rows)
      begin()
      const since = recordedAfter(service.database, '').length
      for await (const _line of world.admin.exportUsers(world.path, { passwordHashes: 'true' })) break
      const ended = () =>
        recordedAfter(service.database, '')
          .slice(since)
          .find(({ type }) => type === 'users.exported')
      await until(() => ended() !== undefined)
      const { users, complete } = ended()?.details ?? {}
      assert.ok(Number(users) > 0)
      const what = { hashes: true, sensitive: false }
      return [
        { type: 'users.export_started', ...aTenant(world), details: what },
        { type: 'users.exported', ...aTenant(world), details: { ...what, users, complete } },
      ]
    },
  },
  sendTestMessage: {
    'records the kind and the masked recipient': async (world, begin) => {
      begin()
      await world.admin.sendTestMessage(world.path, { method: 'email', to: 'jane@example.com', kind: 'otp_signin' })
      const [event] = recordedAfter(world.service.database, '').filter(({ type }) => type === 'message.tested')
      const details = { kind: 'otp_signin', deliveryMethod: 'email' }
      const changes = { recipient: { after: 'j***@e***.com' } }
      return [{ type: 'message.tested', log: world.path.tenantId, subject: event!.subject, details, changes }]
    },
  },
  listTestingChannelMessages: {
    'records at most one read a minute': async (world, begin) => {
      await addCode(world)
      world.service.clock.advance(60_000)
      begin()
      await world.admin.listTestingChannelMessages({ tenantId: world.path.tenantId })
      world.service.clock.advance(59_999)
      await world.admin.listTestingChannelMessages({})
      world.service.clock.advance(1)
      await world.admin.listTestingChannelMessages({})
      return [
        { type: 'codes.read', ...aTenant(world) },
        { type: 'codes.read', ...aTenant(world) },
      ]
    },
    'records nothing when it shows no code': async (world, begin) => {
      world.service.clock.advance(60_000)
      begin()
      await world.admin.listTestingChannelMessages({ recipient: 'no-one@example.com' })
      return []
    },
  },
  clearTestingChannelMessages: {
    'records how many messages of each tenant it cleared': async (world, begin) => {
      await addCode(world)
      await world.admin.clearTestingChannelMessages({ tenantId: world.path.tenantId })
      await addCode(world)
      begin()
      await world.admin.clearTestingChannelMessages({})
      return [{ type: 'codes.cleared', ...aTenant(world), details: { messages: 1 } }]
    },
    'records nothing when there is nothing to clear': async (world, begin) => {
      await world.admin.clearTestingChannelMessages({})
      begin()
      await world.admin.clearTestingChannelMessages({})
      return []
    },
  },
  streamTestingChannelMessages: {
    'records the tenants whose codes it shows': async (world, begin) => {
      const { service, admin, path } = world
      const headers = { authorization: `Bearer ${service.adminKey}` }
      const query = `?tenantId=${path.tenantId}`
      const reader = await listen(`${service.baseUrl}/admin/testing-channel/stream${query}`, headers)
      service.clock.advance(60_000)
      await admin.updateConfiguration(path, { auth: { methods: ['otp', 'password'] } })
      begin()
      await addCode(world)
      await reader.take(1)
      reader.leave()
      return [{ type: 'codes.read', ...aTenant(world) }]
    },
  },
  rotateSigningKeys: {
    'records a new key in the log of the deployment, once': async ({ admin }, begin) => {
      begin()
      await admin.rotateSigningKeys({})
      const { keys } = await admin.rotateSigningKeys({})
      return [{ type: 'signing_key.rotated', log: 'deployment', subject: `signingKey ${keys.at(-1)!.kid}` }]
    },
    'records that all keys are withdrawn': async ({ admin }, begin) => {
      begin()
      const { keys } = await admin.rotateSigningKeys({ withdraw: true })
      return [{ type: 'signing_key.withdrawn', log: 'deployment', subject: `signingKey ${keys[0]!.kid}` }]
    },
  },
}
