import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { SqlSessionStore } from '../../server/storage/stores/sessions.ts'
import { storedRow } from '../support/databases/stored-rows.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { addOpenTenant, sessionIdOf } from '../support/sign-in-methods.ts'

let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await addOpenTenant(service)
})
after(() => service.close())

const enter = () => tenant.client.signIn({ method: 'guest' })
const refresh = (refreshToken: string) => tenant.client.refreshSession({ refreshToken })

/** Acts once, after the next refresh has read its session. */
function onceRead(t: TestContext, act: () => Promise<unknown>): void {
  const { findWithUser } = SqlSessionStore.prototype
  const read = async function (this: SqlSessionStore, id: string) {
    const found = await findWithUser.call(this, id)
    await act()
    return found
  }
  t.mock.method(SqlSessionStore.prototype, 'findWithUser', read, { times: 1 })
}

test('refuses a refresh of a user who is deleted meanwhile, and stores no device', async (t) => {
  const session = await enter()
  onceRead(t, () => service.admin.deleteUser({ tenantId: tenant.tenantId, userId: session.user.id }))
  await refused(refresh(session.refreshToken), 'TOKEN_USER_NOT_FOUND')
  const row = storedRow(service, 'SELECT user_agent, address FROM sessions WHERE id = ?', sessionIdOf(session))
  assert.deepEqual({ ...row }, { user_agent: null, address: '' })
})

test('repeats no successor of a session that was refreshed and signed out meanwhile', async (t) => {
  const session = await enter()
  onceRead(t, async () => {
    const { accessToken } = await refresh(session.refreshToken)
    await tenant.client.withSession(accessToken).signOut({ scope: 'this' })
  })
  await refused(refresh(session.refreshToken), 'INVALID_REFRESH_TOKEN')
})
