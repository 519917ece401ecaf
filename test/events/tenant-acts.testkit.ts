import assert from 'node:assert/strict'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { maskedSecret } from '../../contract/senders/sender-kind.ts'
import type { Acts, ActsWorld, Expected } from './acts-world.testkit.ts'

const aTenant = (id: string) => ({ log: id, subject: `tenant ${id}` })
const configured = ({ path: { tenantId } }: ActsWorld, changes: Expected['changes'] & {}): Expected[] => [
  { type: 'configuration.changed', log: tenantId, subject: `configuration ${tenantId}`, changes },
]
const addKey = ({ admin, path }: ActsWorld) => admin.createTenantKey(path, { name: 'a key' })
const aKey = ({ path: { tenantId } }: ActsWorld, id: string) => ({ log: tenantId, subject: `tenantKey ${id}` })
const published = ({ path: { tenantId } }: ActsWorld, version: string, state = 'current'): Expected => ({
  type: 'profile_schema.published',
  log: tenantId,
  subject: `profileSchema ${version}`,
  details: { version, state },
})
const smtp = { type: 'smtp', host: 'smtp.example.com', user: 'user-canary', password: 'password-canary' } as const

/** What the operations on tenants, configurations, schemas and keys record. */
export const tenantActs: Readonly<Record<string, Acts>> = {
  createTenant: {
    'records the tenant in the log of the deployment': async ({ admin }, begin) => {
      begin()
      const { id } = await admin.createTenant({ name: 'Acme' })
      const changes = { name: { after: 'Acme' } }
      return [{ type: 'tenant.created', log: 'deployment', subject: `tenant ${id}`, changes }]
    },
    'records a replay once': async ({ admin }, begin) => {
      begin()
      const create = () => admin.createTenant({ name: 'Twice' }, { idempotencyKey: 'the-same-tenant' })
      const { id } = await create()
      assert.equal((await create()).id, id)
      return [
        { type: 'tenant.created', log: 'deployment', subject: `tenant ${id}`, changes: { name: { after: 'Twice' } } },
      ]
    },
  },
  updateTenant: {
    'records a name, restrictions and a suspension apart': async ({ admin }, begin) => {
      const { id } = await admin.createTenant({ name: 'Acme' })
      begin()
      await admin.updateTenant({ tenantId: id }, { name: 'Emca', suspended: true, restrictedCapabilities: ['sign_up'] })
      await admin.updateTenant({ tenantId: id }, { suspended: false })
      const restrictedCapabilities = { before: [], after: ['sign_up'] }
      return [
        {
          type: 'tenant.updated',
          ...aTenant(id),
          changes: { name: { before: 'Acme', after: 'Emca' }, restrictedCapabilities },
        },
        { type: 'tenant.suspended', ...aTenant(id) },
        { type: 'tenant.restored', ...aTenant(id) },
      ]
    },
    'records nothing when nothing changes': async ({ admin, path }, begin) => {
      const { name } = await admin.getTenant(path)
      begin()
      await admin.updateTenant(path, { name, suspended: false, restrictedCapabilities: [] })
      await admin.updateTenant(path, {})
      return []
    },
  },
  deleteTenant: {
    'records the deletion in the log of the deployment, once': async ({ admin }, begin) => {
      const { id } = await admin.createTenant({ name: 'Doomed' })
      begin()
      await Promise.allSettled([admin.deleteTenant({ tenantId: id }), admin.deleteTenant({ tenantId: id })])
      return [{ type: 'tenant.deleted', log: 'deployment', subject: `tenant ${id}` }]
    },
  },
  updateConfiguration: {
    'records paths, and values of numbers, booleans and closed lists only': async (world, begin) => {
      begin()
      await world.admin.updateConfiguration(world.path, {
        auth: { methods: ['password', 'otp', 'guest'] },
        otp: { length: 8 },
        security: { passwordBlocklist: true, allowedOrigins: ['https://app.example.com'] },
        loyalty: { tier: 'gold' },
      })
      return configured(world, {
        'auth.methods': { before: ['password', 'otp'], after: ['password', 'otp', 'guest'] },
        'otp.length': { before: 6, after: 8 },
        'security.allowedOrigins': {},
        'security.enumerationProtection': { after: false },
        'security.freshSeconds': { after: 600 },
        'security.passwordBlocklist': { after: true },
        loyalty: {},
      })
    },
    'names the settings of a sender, and a secret that changes': async (world, begin) => {
      const send = (sender: object) => world.admin.updateConfiguration(world.path, { delivery: { email: [sender] } })
      begin()
      await send(smtp)
      await send({ ...smtp, port: 2525, password: maskedSecret })
      await send({ ...smtp, port: 2525, password: 'another password-canary' })
      const hidden = ['host', 'name', 'password', 'user'].map((name) => [`delivery.email.smtp.${name}`, {}])
      const port = { before: 587, after: 2525 }
      return [
        ...configured(world, {
          ...Object.fromEntries(hidden),
          'delivery.email.smtp.port': { after: 587 },
          'delivery.email.smtp.type': { after: 'smtp' },
          'delivery.smsDailyBudget': { after: 500 },
        }),
        ...configured(world, { 'delivery.email.smtp.port': port }),
        ...configured(world, { 'delivery.email.smtp.password': {} }),
      ]
    },
    'records nothing for the same settings and secrets': async (world, begin) => {
      const sender = { ...smtp, port: 2525 }
      await world.admin.updateConfiguration(world.path, { delivery: { email: [sender] } })
      begin()
      await world.admin.updateConfiguration(world.path, { delivery: { email: [sender] } })
      await world.admin.updateConfiguration(world.path, {})
      return []
    },
  },
  replaceConfiguration: {
    'names modules that are removed': async (world, begin) => {
      await world.admin.replaceConfiguration(world.path, {
        auth: { methods: ['otp'] },
        otp: {},
        loyalty: { tier: 'gold' },
      })
      begin()
      await world.admin.replaceConfiguration(world.path, { auth: { methods: ['password', 'otp'] }, otp: {} })
      return configured(world, { 'auth.methods': { before: ['otp'], after: ['password', 'otp'] }, loyalty: {} })
    },
  },
  publishProfileSchema: {
    'records the version, and nothing when it is published already': async (world, begin) => {
      const schema: ProfileSchemaInput = { version: 'first', components: [{ name: 'nick', type: 'text' }] }
      begin()
      await world.admin.publishProfileSchema(world.path, schema)
      await world.admin.publishProfileSchema(world.path, schema)
      return [published(world, 'first')]
    },
  },
  createTenantKey: {
    'records the kind of the key': async (world, begin) => {
      begin()
      const { id } = await addKey(world)
      return [{ type: 'tenant_key.created', ...aKey(world, id), details: { kind: 'publishable' } }]
    },
    'records a replay once': async (world, begin) => {
      const create = () =>
        world.admin.createTenantKey(world.path, { kind: 'secret' }, { idempotencyKey: 'the-same-key' })
      begin()
      const { id } = await create()
      assert.equal((await create()).id, id)
      return [{ type: 'tenant_key.created', ...aKey(world, id), details: { kind: 'secret' } }]
    },
  },
  rotateTenantKey: {
    'records the new key': async (world, begin) => {
      const { id: keyId } = await addKey(world)
      begin()
      const { id } = await world.admin.rotateTenantKey({ ...world.path, keyId }, { overlapSeconds: 60 })
      return [{ type: 'tenant_key.rotated', ...aKey(world, keyId), details: { successor: id } }]
    },
  },
  revokeTenantKey: {
    'records it once': async (world, begin) => {
      const { id: keyId } = await addKey(world)
      const revoke = () => world.admin.revokeTenantKey({ ...world.path, keyId })
      begin()
      await revoke()
      await assert.rejects(revoke())
      return [{ type: 'tenant_key.revoked', ...aKey(world, keyId) }]
    },
  },
}
