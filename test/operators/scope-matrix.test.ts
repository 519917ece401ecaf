import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Operation, reachOf } from '../../contract/operation.ts'
import { operations, streams } from '../../contract/operations.ts'
import { isParameterGroup } from '../../contract/parameter-group.ts'
import { isGranted, type Scope, scopes } from '../../contract/scopes.ts'
import { storedEverything } from '../support/databases/stored-rows.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { storeOperator } from '../support/stored-operator.ts'

const unknownTenant = '01JGFJJZ00E9V4R8ZK3QWX5T7N'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

interface Answered {
  readonly status: number
  readonly code?: string
  readonly missing?: string
}

/** Calls an operation for a tenant, with ids that name nothing and without a body. */
async function call(
  operation: Operation,
  key: string,
  { tenantId, query = {} }: { tenantId?: string | undefined; query?: Readonly<Record<string, string>> },
): Promise<Answered> {
  const { method, path } = operation
  const inQuery = reachOf(operation) === 'tenantQuery' && tenantId !== undefined ? { tenantId } : null
  const search = new URLSearchParams({ ...query, ...inQuery })
  const filled = path.replace(':tenantId', tenantId ?? 'x').replaceAll(/:\w+/g, 'x')
  const answer = await fetch(`${service.baseUrl}${filled}?${search}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  if (answer.status < 400) {
    await answer.body?.cancel()
    return { status: answer.status }
  }
  const { error } = (await answer.json()) as { error: { code: string; missing?: string } }
  return { status: answer.status, code: error.code, ...(error.missing !== undefined && { missing: error.missing }) }
}

/** The request passed the checks of the operator, whatever its handler answered. */
function assertAdmitted({ status, code }: Answered, what: string): void {
  assert.ok(status !== 401 && status !== 403 && code !== 'TENANT_NOT_FOUND', `${what}: ${status} ${code}`)
}

const refusedFor = (missing: string): Answered => ({ status: 403, code: 'INSUFFICIENT_SCOPE', missing })
const unknown: Answered = { status: 404, code: 'TENANT_NOT_FOUND' }

/** All that an operator can have without the scope. */
const without = (scope: Scope): Scope[] => scopes.filter((other) => !isGranted([other], scope))
const newTenant = async () => (await service.admin.createTenant({ name: 'Tenant' })).id

/** Reading codes and exports is recorded, and the log is sealed in the background. */
const storedButEvents = () => {
  const tables = Object.entries(storedEverything(service))
  return Object.fromEntries(tables.filter(([table]) => !/^(event|checkpoint_keys)/.test(table)))
}

type Query = Readonly<Record<string, string>>

/** Queries that ask for what a parameter gives, and some that do not. A group is asked for by each of its parameters. */
function queriesWith(parameter: string, { query }: Operation): { asking: [Query, ...Query[]]; others: Query[] } {
  if (!isParameterGroup(query!.shape[parameter]!)) {
    return { asking: [{ [parameter]: 'true' }], others: ['false', ''].map((value) => ({ [parameter]: value })) }
  }
  const asking = ['city', 'age.min', 'age.max', 'name.prefix', ''].map((member) => ({
    [`${parameter}.${member}`]: 'x',
  }))
  const others = [parameter, `${parameter}s.city`, `x.${parameter}.city`].map((sent) => ({ [sent]: 'x' }))
  return { asking: [{ [`${parameter}.city`]: '' }, ...asking], others: [{}, ...others] }
}

const admin = Object.entries<Operation>({ ...operations, ...streams }).filter(([, { auth }]) => auth === 'admin')

for (const [name, operation] of admin) {
  const { scope, queryScopes = {} } = operation
  const reach = reachOf(operation)
  describe(`${operation.method} ${operation.path}`, () => {
    if (operation.method === 'GET') {
      test('changes nothing but the log of events', async () => {
        const tenantId = await newTenant()
        const before = storedButEvents()
        assertAdmitted(await call(operation, service.adminKey, { tenantId }), name)
        assert.deepEqual(storedButEvents(), before)
      })
    }

    test(`admits an operator with ${scope} and refuses one with every other scope`, async () => {
      const tenantId = await newTenant()
      const granted = scope === undefined || scope === 'any' ? [] : [scope]
      const { key } = await storeOperator(service, { scopes: granted })
      assertAdmitted(await call(operation, key, { tenantId }), name)
      if (scope === undefined || scope === 'any') return
      const { key: weak } = await storeOperator(service, { scopes: without(scope) })
      for (const id of [tenantId, await newTenant(), unknownTenant])
        assert.deepEqual(await call(operation, weak, { tenantId: id }), refusedFor(scope), name)
    })

    for (const [parameter, also] of Object.entries(queryScopes)) {
      const { asking, others } = queriesWith(parameter, operation)
      test(`requires ${also} in addition with ${new URLSearchParams(asking[0])}, and not otherwise`, async () => {
        const tenantId = await newTenant()
        const { key } = await storeOperator(service, { scopes: without(also) })
        const { key: both } = await storeOperator(service, { scopes: [scope as Scope, also] })
        const { key: only } = await storeOperator(service, { scopes: [also] })
        for (const query of asking) {
          assert.deepEqual(await call(operation, key, { tenantId, query }), refusedFor(also))
          assertAdmitted(await call(operation, both, { tenantId, query }), name)
          assert.deepEqual(await call(operation, only, { tenantId, query }), refusedFor(scope!))
        }
        for (const query of others) assertAdmitted(await call(operation, key, { tenantId, query }), name)
        const bound = (granted: readonly Scope[]) =>
          storeOperator(service, { scopes: granted, tenantIds: [tenantId] }).then((stored) => stored.key)
        const [weak, strong, foreign] = [await bound(without(also)), await bound(scopes), await newTenant()]
        const query = asking[0]
        for (const id of [tenantId, foreign, unknownTenant])
          assert.deepEqual(await call(operation, weak, { tenantId: id, query }), refusedFor(also))
        assertAdmitted(await call(operation, strong, { tenantId, query }), name)
        assert.deepEqual(await call(operation, strong, { tenantId: foreign, query }), unknown)
      })
    }

    test('keeps an operator bound to tenants to these', async () => {
      const [own, foreign] = [await newTenant(), await newTenant()]
      const bound = async (granted: readonly Scope[]) =>
        (await storeOperator(service, { scopes: granted, tenantIds: [own, await newTenant()] })).key
      const key = await bound(scopes)
      const ask = (tenantId?: string) => call(operation, key, { tenantId })
      if (reach === 'deployment') assert.deepEqual(await ask(own), refusedFor('all tenants'), name)
      else assertAdmitted(await ask(own), name)
      if (reach === 'tenantQuery') assert.deepEqual(await ask(), refusedFor('all tenants'), name)
      if (reach === 'tenant' || reach === 'tenantQuery') {
        assert.deepEqual(await ask(foreign), unknown, name)
        assert.deepEqual(await ask(unknownTenant), unknown, name)
      }
      if (scope === undefined || scope === 'any') return
      const weak = await bound(without(scope))
      for (const id of [own, foreign, unknownTenant])
        assert.deepEqual(await call(operation, weak, { tenantId: id }), refusedFor(scope), name)
    })
  })
}
