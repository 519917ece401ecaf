import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { exportOfValues } from './exported-values.ts'
import { compiledSchemaOf } from './schema/compiled-profile-schemas.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

test('a sensitive field that is renamed during an export stays sensitive', async () => {
  const { tenantId } = await service.addTenant()
  const card = { name: 'card', type: 'text' as const, sensitive: true }
  await service.admin.publishProfileSchema({ tenantId }, { components: [card, { ...card, name: 'gone' }] })
  await service.admin.publishProfileSchema({ tenantId }, { components: [card] })
  const { storage, snapshots } = service.service.services
  const stores = storage.forTenant(tenantId)
  const schema = compiledSchemaOf(await snapshots.of((await stores.tenant.get())!))
  const valuesOf = exportOfValues(schema, stores.tenant, false)
  assert.deepEqual(await valuesOf({ card: '4242', gone: '9999' }), { card: null, gone: null })
  await service.admin.publishProfileSchema(
    { tenantId },
    { components: [{ ...card, name: 'number' }], migrations: [{ rename: { from: 'card', to: 'number' } }] },
  )
  assert.deepEqual(await valuesOf({ number: '4242' }), { number: null })
})

test('exports no value of a type that its field no longer has: it may be sensitive, and no import takes it', async () => {
  const { tenantId } = await service.addTenant()
  const { storage, snapshots } = service.service.services
  const stores = storage.forTenant(tenantId)
  await service.admin.publishProfileSchema(
    { tenantId },
    {
      components: [
        { name: 'insured', type: 'boolean' },
        { name: 'city', type: 'text' },
      ],
    },
  )
  const schema = compiledSchemaOf(await snapshots.of((await stores.tenant.get())!))
  const values = { insured: '123-45-6789', city: 'Paris' }
  for (const withSensitive of [false, true]) {
    const valuesOf = exportOfValues(schema, stores.tenant, withSensitive)
    assert.deepEqual(await valuesOf(values), { insured: null, city: 'Paris' })
  }
})
