import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ofBackground } from '../support/databases/background-statements.ts'
import { onPostgres } from '../support/databases/open-database.ts'
import { newEmail } from '../support/sign-in-methods.ts'
import { password, startRecordedService } from './recorded-tenant.testkit.ts'

test('a tenant that records nothing runs the statements without events; one that does runs no further ones but its inserts', async () => {
  const statements: string[] = []
  const hooks = { onStatement: (name: string) => void statements.push(name) }
  await using recorded = await startRecordedService({ hooks })
  const { service } = recorded

  async function statementsWith(detail: string) {
    const { client, tenant } = await recorded.open({ detail })
    const { tenantId } = tenant
    await service.admin.publishProfileSchema({ tenantId }, { components: [{ name: 'nick', type: 'text' }] })
    const email = newEmail()
    const { accessToken, refreshToken } = await client.signUp({ method: 'password', email, password })
    const own = client.withSession(accessToken)
    const { id } = await client.resetPassword({ step: 'challenge', email })
    const code = await service.codeOf(id)
    await own.updateProfile({ nick: 'a' })
    const run: Record<string, string[]> = {}
    const record = async (name: string, act: () => Promise<unknown>) => {
      await service.service.services.delivery.drain()
      statements.length = 0
      await act()
      run[name] = statements.filter((each) => !ofBackground.test(each))
    }
    await record('challenge', () => client.resetPassword({ step: 'challenge', email }))
    await record('wrong code', () => client.verifyOtp({ id, scope: 'reset_password', code: 'x' }).catch(() => {}))
    await record('verify', () => client.verifyOtp({ id, scope: 'reset_password', code }))
    await record('update', () => own.updateProfile({ nick: 'b' }))
    await record('sign-in', () => client.signIn({ method: 'password', email, password }))
    await record('refused', () => client.signIn({ method: 'password', email, password: 'x' }).catch(() => {}))
    await record('refresh', () => client.refreshSession({ refreshToken }))
    return run
  }

  const off = await statementsWith('off')
  const security = await statementsWith('security')
  const all = await statementsWith('all')
  const isOfEvents = (name: string) => name === 'event.add' || name.endsWith('WithEvent')
  for (const [act, names] of Object.entries(off)) assert.deepEqual(names.filter(isOfEvents), [], act)
  // PostgreSQL adds the event within the statement of the act.
  const plain = (name: string) => name.replace(/WithEvent$/, '').replace(/^postgres\.(otp\.verify|profile\.)/, '$1')
  for (const run of [security, all])
    for (const [act, names] of Object.entries(run))
      assert.deepEqual(names.filter((name) => name !== 'event.add').map(plain), off[act], act)
  const added = (run: Record<string, string[]>) =>
    Object.fromEntries(Object.entries(run).map(([act, names]) => [act, names.filter(isOfEvents).length]))
  const expected = { challenge: 1, 'wrong code': 0, verify: 1, update: 1, 'sign-in': 1, refused: 1, refresh: 0 }
  assert.deepEqual(added(security), expected)
  assert.deepEqual(added(all), { ...expected, 'wrong code': 1, refresh: 1 })
  const inside = Object.values(security)
    .flat()
    .filter((name) => name.endsWith('WithEvent'))
  assert.equal(inside.length, onPostgres ? 3 : 0)
})
