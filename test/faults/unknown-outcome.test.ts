import assert from 'node:assert/strict'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { storedOtp } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService } from '../support/service.ts'

const test = testOnSqliteAlone('test/postgres/ tests unknown outcomes of PostgreSQL')

test('a confirm whose COMMIT fails to sync answers 500, and health checks fail from then on', async () => {
  let confirms = 0
  const onStatement = (name: string) => {
    if (name === 'user.resetPassword') confirms++
  }
  const beforeCommit = () => {
    if (confirms > 0) throw Object.assign(new Error('disk I/O error'), { errcode: 1034 })
  }
  await using service = await startTestService({ hooks: { onStatement, beforeCommit } })
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const token = await person.verified('reset_password')
  const confirm = () => tenant.client.resetPassword({ step: 'confirm', token, password: 'battery staple' })
  for (const path of ['/healthz', '/readyz']) assert.equal((await request(service, `GET ${path}`)).status, 200)

  // One group: the second is refused because of what the first wrote, so its outcome is unknown too.
  await Promise.all([refused(confirm(), 'INTERNAL_SERVER'), refused(confirm(), 'INTERNAL_SERVER').catch(isUnavailable)])
  confirms = 0
  await refused(confirm(), 'SERVICE_UNAVAILABLE')
  for (const path of ['/healthz', '/readyz']) {
    const { status, headers, body } = await request(service, `GET ${path}`)
    assert.deepEqual([status, headers.get('retry-after'), body.error.code], [503, '5', 'SERVICE_UNAVAILABLE'])
  }
  assert.equal(storedOtp(service, token)['state'], 'verified')
  await tenant.client.getTenantConfiguration({})
})

const isUnavailable = (error: Error) => assert.match(error.message, /SERVICE_UNAVAILABLE/)
