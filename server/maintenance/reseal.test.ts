import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '../../test/support/master-key.ts'
import { deployment } from '../core/deployment.ts'
import { answerContext } from '../core/idempotency.ts'
import { senderSecretContext } from '../delivery/sender-secrets.ts'
import { codeContext, recoveryScope } from '../otp/otp.ts'
import { createKeyring } from '../secrets/keyring.ts'
import type { Executor } from '../storage/database.ts'
import { openTestStorage } from '../storage/sqlite/open-storage.testkit.ts'
import { messageOf, newTenant, otpOf } from '../storage/suite/samples.testkit.ts'
import { resealAll, takeInventory } from './reseal.ts'
import { useExecutor } from './use-executor.ts'

const old = createKeyring(keyOf('k1', 1))
const ring = createKeyring(`${keyOf('k2', 2)},${keyOf('k1', 1)}`)
const now = Date.UTC(2026, 0, 1)

/** A tenant with pending codes and a sender's secret, all encrypted with k1. */
async function openSealed(codes: number) {
  const opened = await openTestStorage()
  const tenant = await newTenant(opened.storage, { id: 't' })
  const secret = old.seal('secret', senderSecretContext('t', 'place'))
  await tenant.tenant.replaceModules({ $senderSecrets: { place: secret } }, 1, now)
  const otps = Array.from({ length: codes }, (_, index) => {
    const otp = otpOf({ id: `otp-${String(index).padStart(4, '0')}`, createdAt: now, expiresAt: now + 600_000 })
    return { ...otp, sealedCode: old.seal(`code ${index}`, codeContext('t', otp.id, otp.scope, otp.recipient)) }
  })
  for (const otp of otps) await tenant.otps.issue(otp, messageOf())
  return { ...opened, tenant, otps, place: { engine: 'sqlite', path: opened.path } as const }
}

/** Calls back before each transaction with its number, from 1 on. Nothing is written outside of them. */
function beforeWrites(executor: Executor, act: (number: number) => unknown): Executor {
  let number = 0
  return {
    nestsWrites: executor.nestsWrites,
    hasRowIds: executor.hasRowIds,
    read: (work) => executor.read(work),
    append: () => assert.fail(),
    effect: () => assert.fail(),
    async write(work) {
      await act(++number)
      return executor.write(work)
    },
  }
}

test('does not restore a code that is verified between reading and re-encrypting', async () => {
  const { tenant, otps, place, close } = await openSealed(3)
  const [otp] = otps
  await useExecutor(place, async (executor) => {
    const racing = beforeWrites(executor, (number) => number === 1 && tenant.otps.verify(otp!, now + 1))
    const { resealed, left } = await resealAll(racing, ring, now)
    assert.deepEqual(resealed, { codes: 2, 'sender secrets': 1 })
    assert.deepEqual([...left.open], [['k2', { codes: 2, 'sender secrets': 1 }]])
  })
  const stored = await tenant.otps.find(otp!.id, otp!.scope)
  assert.deepEqual([stored?.state, stored?.sealedCode], ['verified', null])
  await close()
})

test('does not undo a concurrent configuration update, and makes an update of an older revision fail', async () => {
  const { tenant, place, close } = await openSealed(0)
  const replacement = { own: 'new', $senderSecrets: { other: old.seal('new', senderSecretContext('t', 'other')) } }
  const { revision } = (await tenant.tenant.configuration())!
  await useExecutor(place, async (executor) => {
    const racing = beforeWrites(
      executor,
      (number) => number === 1 && tenant.tenant.replaceModules(replacement, revision, now + 1),
    )
    const { resealed } = await resealAll(racing, ring, now)
    assert.deepEqual(resealed, { 'sender secrets': 1 })
  })
  const stored = (await tenant.tenant.configuration())!
  assert.equal(stored.modules?.['own'], 'new')
  const { other } = stored.modules?.['$senderSecrets'] as { other: string }
  assert.equal(createKeyring(keyOf('k2', 2)).open(other, senderSecretContext('t', 'other')), 'new')
  // An update based on the modules before re-encryption would restore the old text.
  assert.equal(await tenant.tenant.replaceModules(replacement, revision + 1, now + 2), false)
  await close()
})

test('completes an interrupted run when repeated, over several batches', async () => {
  const { tenant, otps, place, close } = await openSealed(250)
  await useExecutor(place, async (executor) => {
    const dying = beforeWrites(executor, (number) => {
      if (number === 2) throw new Error('killed')
    })
    await assert.rejects(resealAll(dying, ring, now), /killed/)
    const { open } = await takeInventory(executor, ring, now)
    assert.ok(open.get('k1')!.codes! > 0 && open.get('k2')!.codes! > 0)
    await resealAll(executor, ring, now)
    const again = await resealAll(executor, ring, now)
    assert.deepEqual(again, {
      resealed: {},
      left: { open: new Map([['k2', { codes: 250, 'sender secrets': 1 }]]), closed: new Map() },
    })
  })
  const keyring = createKeyring(keyOf('k2', 2))
  for (const [index, { id, scope, recipient }] of otps.entries()) {
    const stored = await tenant.otps.find(id, scope)
    assert.equal(keyring.open(stored!.sealedCode!, codeContext('t', id, scope, recipient)), `code ${index}`)
  }
  await close()
})

test('re-encrypts the rows of a batch in one transaction', async () => {
  const { place, close } = await openSealed(250)
  await useExecutor(place, async (executor) => {
    const numbers: number[] = []
    const counted = beforeWrites(executor, (number) => numbers.push(number))
    assert.deepEqual((await resealAll(counted, ring, now)).resealed, { codes: 250, 'sender secrets': 1 })
    // Three of codes and one of secrets; a round that finds nothing to do writes nothing.
    assert.deepEqual(numbers, [1, 2, 3, 4])
    assert.deepEqual((await resealAll(counted, ring, now)).resealed, {})
    assert.equal(numbers.length, 4)
  })
  await close()
})

test('re-encrypts an undo code with its scope', async () => {
  const { tenant, place, close } = await openSealed(0)
  const otp = otpOf({ scope: recoveryScope, createdAt: now, expiresAt: now + 259_200_000 })
  const context = codeContext('t', otp.id, recoveryScope, otp.recipient)
  await tenant.otps.issue({ ...otp, sealedCode: old.seal('48291375', context) }, messageOf())
  await useExecutor(place, async (executor) => {
    assert.deepEqual((await resealAll(executor, ring, now)).resealed, { codes: 1, 'sender secrets': 1 })
  })
  const stored = await tenant.otps.find(otp.id, recoveryScope)
  assert.equal(createKeyring(keyOf('k2', 2)).open(stored!.sealedCode!, context), '48291375')
  await close()
})

test('re-encrypts kept answers of tenants and of the deployment until they expire', async () => {
  const { storage, tenant, place, close } = await openSealed(0)
  const stores = { t: tenant.idempotency, [deployment]: storage.system.idempotency }
  for (const [tenantId, idempotency] of Object.entries(stores)) {
    for (const [id, expiresAt] of [['live', now + 1] as const, ['expired', now] as const]) {
      const sealed = old.seal(`answer of ${tenantId}`, answerContext(tenantId, id))
      await idempotency.add({ id, subjectId: null, sealed, expiresAt }, now - 1)
    }
  }
  await useExecutor(place, async (executor) => {
    const { resealed, left } = await resealAll(executor, ring, now)
    assert.deepEqual(resealed, { 'kept answers': 2, 'sender secrets': 1 })
    assert.deepEqual([...left.open.keys()], ['k2'])
  })
  const keyring = createKeyring(keyOf('k2', 2))
  for (const [tenantId, idempotency] of Object.entries(stores)) {
    const sealed = await idempotency.find('live', now)
    assert.equal(keyring.open(sealed!, answerContext(tenantId, 'live')), `answer of ${tenantId}`)
  }
  await close()
})

test('skips expired codes', async () => {
  const { place, close } = await openSealed(2)
  await useExecutor(place, async (executor) => {
    const { resealed, left } = await resealAll(executor, ring, now + 600_000)
    assert.deepEqual(resealed, { 'sender secrets': 1 })
    assert.deepEqual([...left.open.keys()], ['k2'])
  })
  await close()
})
