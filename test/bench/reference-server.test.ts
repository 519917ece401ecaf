import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { emailOf, otpIdOf } from '../../bench/people.ts'
import { type References, startReferences } from '../../bench/references.ts'
import { type Service, startService } from '../../bench/service.ts'
import { createSignIns, type SignIns } from '../../bench/sign-ins.ts'

let service: Service
let references: References
let signIns: SignIns
before(async () => {
  service = await startService({ users: 8, sessions: 2 })
  references = await startReferences(service)
  signIns = createSignIns(service)
  await signIns.renew()
})
after(async () => {
  await references?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

async function ask(port: number, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...signIns.headers(0), 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

/** The answers of the service and of both reference servers to one request. */
async function askAll(method: string, path: string, body?: unknown) {
  const ports = [service.child.port, references['floor FULL'].port, references['floor NORMAL'].port]
  const [ours, ...floors] = await Promise.all(ports.map((port) => ask(port, method, path, body)))
  return { ours: ours!, floors }
}

const dataOf = ({ body }: Answer) => body['data'] as Readonly<Record<string, string>>

test('answers the configuration as the service does', async () => {
  const { ours, floors } = await askAll('GET', '/tenant-configuration')
  assert.equal(ours.status, 200)
  for (const floor of floors) assert.deepEqual(floor, ours)
})

test('answers an update of a profile with the fields that the service answers', async () => {
  const { ours, floors } = await askAll('PATCH', '/account/profile', { field1: 'changed' })
  assert.deepEqual([ours.status, dataOf(ours)['field1'], dataOf(ours)['field0']], [200, 'changed', 'first'])
  for (const floor of floors) {
    assert.deepEqual([floor.status, dataOf(floor)['field1'], dataOf(floor)['field0']], [200, 'changed', 'first'])
  }
})

test('a challenge and a resend are answered as by the service, and the testing channel shows their messages', async () => {
  const { ours, floors } = await askAll('POST', '/auth/reset-password', { step: 'challenge', email: emailOf(3) })
  const resent = await askAll('POST', '/otp/resend', { id: otpIdOf(4), scope: 'otp_signin' })
  assert.deepEqual([ours.status, resent.ours.status], [201, 201])
  for (const [index, floor] of floors.entries()) {
    assert.equal(floor.status, 201)
    assert.deepEqual(Object.keys(dataOf(floor)), Object.keys(dataOf(ours)))
    assert.deepEqual(dataOf(resent.floors[index]!), { success: true })
    const port = references[index === 0 ? 'floor FULL' : 'floor NORMAL'].port
    const { messages } = dataOf(await ask(port, 'GET', '/admin/testing-channel/messages')) as unknown as {
      messages: { otpId: string; recipient: string; code: string }[]
    }
    const shown = messages.map(({ otpId, recipient, code }) => ({ otpId, recipient, hasCode: /^\d{6}$/.test(code) }))
    assert.deepEqual(shown, [
      { otpId: dataOf(floor)['id'], recipient: emailOf(3), hasCode: true },
      { otpId: otpIdOf(4), recipient: emailOf(4), hasCode: true },
    ])
  }
})
