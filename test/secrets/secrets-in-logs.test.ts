import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allOperations } from '../../contract/operations.ts'
import { type Canaries, openCanaries } from '../support/attacks/canaries.ts'
import { findLeaks, removePlanted, type Secrets } from '../support/attacks/leak-scan.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { useEverything } from '../support/use-everything.ts'

let canaries: Canaries
before(async () => {
  canaries = await openCanaries()
})
after(() => canaries[Symbol.asyncDispose]())

/** Repeats the calls while a part throws errors that contain its arguments. */
async function useWhatIsBroken(): Promise<void> {
  const { call, newPassword, trackSession, trackCode, errorBodies, service } = canaries
  const email = 'second@example.com'
  for (const part of ['statement', 'hash', 'transport'] as const) {
    const before = errorBodies.length
    const { body } = await call('POST /otp', { body: { scope: 'otp_signin', email } })
    canaries.breakPart(part)
    const { id } = body.data
    const confirm = { step: 'confirm', token: id, password: newPassword() }
    await call('POST /auth/reset-password', { body: confirm })
    await call('POST /auth/sign-in', { body: { method: 'password', email, password: newPassword() } })
    const newcomer = { method: 'password', email: `${part}@example.com`, password: newPassword() }
    const signedUp = await call('POST /auth/sign-up', { body: newcomer })
    if (signedUp.status === 201) trackSession(signedUp)
    await call('POST /otp/resend', { body: { id, scope: 'otp_signin' } })
    // While statements fail, the outbox cannot be drained.
    if (part !== 'statement') await service.service.services.delivery.drain()
    canaries.breakPart(null)
    service.clock.advance(120_000)
    await trackCode(id)
    assert.ok(errorBodies.length > before, part)
  }
  assert.ok(errorBodies.some((text) => text.includes('INTERNAL_SERVER')))
  assert.ok(
    service.log.some((line) => line.includes('broken on purpose')),
    'the failure was not logged',
  )
}

test('has no password, code, key or token in logs, error bodies or files, whatever is requested and fails', async (t) => {
  const { service, secrets, errorBodies, called } = canaries
  await useEverything(canaries)
  await useWhatIsBroken()
  assert.deepEqual(
    [...called].sort(),
    Object.keys(allOperations).sort(),
    'call each operation in test/support/use-everything.ts',
  )
  assert.deepEqual(findLeaks(service, secrets, errorBodies), [])
  const requests = service.log.filter((line) => line.endsWith(',"msg":"request"}\n')).map((line) => JSON.parse(line))
  const named = new Set(requests.map(({ operation }) => operation))
  assert.deepEqual(
    Object.keys(allOperations).filter((name) => !named.has(name)),
    [],
    'the request log is off',
  )
  t.diagnostic(`${secrets.size} secrets searched in ${service.log.length} log lines and ${errorBodies.length} refusals`)
})

test('logs no e-mail address or phone number', () => {
  const { service, errorBodies } = canaries
  const people: Secrets = new Map([
    ['e-mail address', 'canary@example.com'],
    ['phone number', '+33612345678'],
    ['address of a Google account', 'canary-google@people.example'],
    ['new e-mail address', 'changed@example.com'],
    ['new phone number', '+33698765432'],
  ])
  const leaks = findLeaks(service, people, errorBodies).filter(({ place }) => !place.startsWith('database'))
  assert.deepEqual(leaks, [])
})

test('finds a planted leak in each of the places', async () => {
  const { service, secrets, errorBodies } = canaries
  const [name, secret] = [...secrets].find(([name]) => name.startsWith('password'))!
  const places = () => findLeaks(service, new Map([[name, secret]]), errorBodies).map(({ place }) => place)
  service.service.services.logger.trace({ body: { password: secret } }, 'planted')
  assert.deepEqual(places(), ['log'])
  service.service.services.logger.trace({ planted: Buffer.from(secret).toString('base64') }, 'planted')
  errorBodies.push(`planted ${encodeURIComponent(secret)}`)
  assert.deepEqual(places(), ['log', 'error bodies'])
  await writeStored(service, 'UPDATE tenants SET name = ?', secret)
  assert.ok(places().some((place) => place.startsWith('database')))
  removePlanted(service)
})
