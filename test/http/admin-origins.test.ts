import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allOperations } from '../../contract/operations.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { startTestService, type TestService } from '../support/service.ts'

const origin: [string, string] = ['origin', 'https://app.tenant.com']
let service: TestService
let key: string
before(async () => {
  service = await startTestService()
  key = (await service.addTenant({ configuration: { security: { allowedOrigins: [origin[1]] } } })).key
})
after(() => service.close())

const adminOperations = Object.values(allOperations)
  .filter(({ path }) => path.startsWith('/admin/'))
  .map(({ path, method }) => ({ method, path: path.replace(/:\w+/g, 'x') }))

const assertNoCors = ({ headers }: WireAnswer, what: string): void =>
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.startsWith('access-control-')),
    [],
    what,
  )

test('refuses a preflight under /admin (threat K02)', async () => {
  for (const { path, method } of adminOperations) {
    const headers = [origin, ['access-control-request-method', method]] as const
    for (const each of [path, `${path}?limit=1`]) {
      const answer = await send(service.baseUrl, { method: 'OPTIONS', path: each, headers })
      assertRefusal(answer, 'METHOD_NOT_ALLOWED')
      assertNoCors(answer, path)
    }
  }
})

test('sends no CORS headers on admin operations, to any caller (threat K02)', async () => {
  const asAdmin = ['authorization', `Bearer ${service.adminKey}`] as const
  for (const request of adminOperations) {
    for (const credentials of [[], [['authorization', 'Bearer x']], [['x-tenant-key', key]]] as const)
      assertNoCors(await send(service.baseUrl, { ...request, headers: [origin, ...credentials] }), request.path)
  }
  const answer = await send(service.baseUrl, { path: '/admin/tenants', headers: [origin, asAdmin] })
  assert.equal(answer.status, 200)
  assertNoCors(answer, 'a success')
})
