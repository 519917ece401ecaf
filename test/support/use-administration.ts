import assert from 'node:assert/strict'
import type { Canaries } from './attacks/canaries.ts'

/** Operators with keys, which are rotated and revoked. */
export async function useOperators({ call, trackOperatorKey }: Canaries): Promise<void> {
  const body = { name: 'Ada', email: 'ada@operators.example', scopes: ['operators:write', 'users:read'] }
  const { id } = trackOperatorKey(await call('POST /admin/operators', { body }))
  const operator = `/admin/operators/${id}`
  await call('GET /admin/operators')
  await call(`GET ${operator}`)
  await call(`PATCH ${operator}`, { body: { name: 'Ada L.' } })
  const { key } = trackOperatorKey(await call(`POST ${operator}/rotate`, { body: { overlapHours: 0 } }))
  await call('GET /admin/me', { headers: { authorization: `Bearer ${key}` } })
  await call('GET /admin/tenants', { headers: { authorization: `Bearer ${key}` } })
  await call(`DELETE ${operator}`)
}

/** Console sessions of the root key, with the cookie in place of the key. */
export async function useConsole({ call, trackConsole, service, newPassword }: Canaries): Promise<void> {
  const page = { 'sec-fetch-site': 'same-origin', 'x-tenantry-console': '1' }
  const signIn = async () => {
    const answer = await call('POST /admin/session', { headers: page, body: { key: service.adminKey } })
    assert.equal(answer.status, 201, answer.text)
    return { ...page, ...trackConsole(answer) }
  }
  const [first, second] = [await signIn(), await signIn()]
  await call('GET /admin/session', { headers: first })
  await call('GET /admin/session', { headers: second })
  await call('DELETE /admin/session', { headers: first })
  await call('DELETE /admin/session?all=true', { headers: second })
  await call('GET /admin/session', { headers: second })
  for (const key of [newPassword(), `${service.adminKey}x`, [service.adminKey]])
    await call('POST /admin/session', { headers: page, body: { key } })
}

/** The logs of the tenant and the deployment, sealed, read and verified in every way. */
export async function useEvents({ call, readStream, service }: Canaries, tenant: string, token: string): Promise<void> {
  await service.service.services.events.drain()
  for (const log of [`${tenant}/events`, '/admin/events']) {
    await call(`GET ${log}`)
    await call(`GET ${log}?type=session.*&outcome=done`)
    await call(`GET ${log}/checkpoints`)
    await call(`GET ${log}/export`)
    await call(`POST ${log}/verify`, { body: {} })
    await readStream(`${log}/stream?lastEventId=0`, 1)
  }
  await readStream('/admin/testing-channel/stream?lastEventId=0', 1)
  await call('DELETE /admin/testing-channel/messages')
  await call('GET /admin/checkpoint-keys')
  await call('GET /account/activity', { token })
}
