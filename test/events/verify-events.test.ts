import assert from 'node:assert/strict'
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { after, before, beforeEach, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { batchHash, batchRoot, rowHash, signDigest, thumbprint } from '../../server/events/seal.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { sealEvents } from '../support/events/sealed-events.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
let tenant: TestTenant
before(async () => {
  service = await startTestService()
})
after(() => service.close())
/** A tenant with three sealed batches. */
beforeEach(async () => {
  tenant = await service.addTenant()
  for (const name of ['One', 'Two', 'Three']) {
    await service.admin.updateTenant({ tenantId: tenant.tenantId }, { name })
    await service.service.services.events.drain()
  }
})

const verify = (fromBatch?: number) =>
  service.admin.verifyEvents({ tenantId: tenant.tenantId }, fromBatch === undefined ? {} : { fromBatch })
const kinds = async (fromBatch?: number) =>
  (await verify(fromBatch)).faults.map(({ batch, kind }) => `${batch} ${kind}`)
const write = (sql: string, ...parameters: (string | number | null)[]) =>
  writeStored(service, sql.replace('TENANT', 'tenant_id = ?'), ...parameters, tenant.tenantId)
const stored = () => service.service.services.storage.forTenant(tenant.tenantId).eventLog

test('an untouched log verifies, also from a batch on', async () => {
  const { verified, purged, erased, head, faults, faultCount } = await verify()
  const { batch, sequence, hash } = await stored().head()
  assert.deepEqual([faults, faultCount, purged, erased], [[], 0, { events: 0, lastBatch: null }, 0])
  assert.deepEqual([verified, head?.batch, head?.hash], [{ batches: batch, events: sequence }, batch, hash])
  assert.equal(batch, 3)
  assert.deepEqual((await verify(3)).verified.batches, 1)
  const behind = await verify(4)
  assert.deepEqual([behind.verified, behind.head?.batch, behind.faults], [{ batches: 0, events: 0 }, undefined, []])
})

test('the log of the deployment verifies', async () => {
  const { verified, faults } = await service.admin.verifyDeploymentEvents()
  assert.deepEqual(faults, [])
  assert.ok(verified.events > 0)
})

test('finds changed, missing and inserted rows, and logs them', async () => {
  const { sequence } = await stored().head()
  await write("UPDATE events SET type = 'user.deleted' WHERE sequence = 1 AND TENANT")
  await write(`DELETE FROM events WHERE sequence = ${sequence} AND TENANT`)
  assert.deepEqual(await kinds(), ['1 changed', '3 missing'])
  assert.ok(service.log.some((line) => JSON.parse(line).msg === 'event log is not as it was sealed'))
  // The batch before is trusted by its signature.
  assert.deepEqual(await kinds(2), ['3 missing'])
})

test('finds a cut end, against the head or against the batch that a client has seen', async () => {
  const [batch] = await stored().batchesBetween(1, 2, 1)
  await write('DELETE FROM event_batches WHERE batch = 3 AND TENANT')
  await write(`DELETE FROM events WHERE batch = 3 AND TENANT`)
  assert.deepEqual(await kinds(), ['3 gap'])
  await write(
    'UPDATE event_heads SET batch = 2, sequence = ?, hash = ? WHERE TENANT',
    batch!.firstSequence + batch!.count - 1,
    batch!.hash,
  )
  assert.deepEqual(await kinds(), [])
  assert.deepEqual(await kinds(4), ['3 gap'])
})

test('a log that was sealed again with a key that was added to the database is found (threat L02)', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const jwk = publicKey.export({ format: 'jwk' }) as JsonWebKey & { x: string }
  const kid = thumbprint({ crv: 'Ed25519', kty: 'OKP', x: jwk.x })
  const [before, last] = await stored().batchesBetween(1, 3, 2)
  const events = await stored().between(last!.firstSequence - 1, last!.firstSequence + last!.count - 1, 100)
  const root = batchRoot(events.map((event) => rowHash({ ...event, outcome: 'refused' })))
  const hash = batchHash(tenant.tenantId, { ...last!, root, previous: before!.hash })
  await write("UPDATE events SET outcome = 'refused' WHERE batch = 3 AND TENANT")
  await write(
    'UPDATE event_batches SET root = ?, hash = ?, kid = ?, signature = ? WHERE batch = 3 AND TENANT',
    ...[root, hash, kid],
    signDigest(hash, privateKey),
  )
  await write('UPDATE event_heads SET hash = ? WHERE TENANT', hash)
  const [own] = await service.service.services.storage.system.checkpointKeys.list()
  await writeStored(
    service,
    'INSERT INTO checkpoint_keys (kid, ordinal, public_jwk, sealed_private_jwk, created_at) VALUES (?, ?, ?, ?, ?)',
    ...[kid, 1_000, JSON.stringify({ ...jwk, kid }), own!.sealedPrivateJwk, 0],
  )
  assert.deepEqual(await kinds(), ['3 signature'])
  // A verification of what follows does not trust it either.
  assert.deepEqual(await kinds(4), ['3 signature'])
  assert.equal((await verify(4)).faultCount, 1)
  const published = await service.admin.getCheckpointKeys()
  assert.ok(published.keys.length > 0 && published.keys.every((key) => key.kid !== kid))
  await writeStored(service, 'DELETE FROM checkpoint_keys WHERE kid = ?', kid)
})

test('a missing personal part is a fault until its person is erased (threat L06)', async () => {
  const person = await addPerson(service, tenant)
  await service.service.services.events.drain()
  const before = (await verify()).erased
  const { tenantId } = tenant
  await write('UPDATE events SET personal = NULL WHERE subject_id = ? AND TENANT', person.userId)
  const { faults, erased } = await verify()
  assert.ok(faults.length > 0 && faults.every(({ kind, sequence }) => kind === 'changed' && sequence !== undefined))
  assert.ok(erased > before)
  await service.admin.deleteUser({ tenantId, userId: person.userId })
  await service.service.services.events.drain()
  assert.deepEqual((await verify()).faults, [])
})

test('refuses an invalid batch and an unknown tenant', async () => {
  for (const fromBatch of [0, -1, 1.5]) await refused(verify(fromBatch), 'VALIDATION_ERROR')
  await refused(service.admin.verifyEvents({ tenantId: '01JD3ZZZZZ0000000000000001' }), 'TENANT_NOT_FOUND')
})

test('several verifications run one after the other', async () => {
  const results = await Promise.all([verify(), verify(), service.admin.verifyDeploymentEvents()])
  assert.deepEqual(
    results.map(({ faultCount }) => faultCount),
    [0, 0, 0],
  )
})

/** Stores three pages of events, and calls `end` while a verification reads the first of them. Returns how often it has read. */
async function endAtFirstRead(t: TestContext, of: TestService, end: () => unknown) {
  await sealEvents(of, null, Array(600).fill({}))
  const { eventLog } = of.service.services.storage.system
  const { between } = eventLog
  let reads = 0
  t.mock.method(eventLog, 'between', async (...range: Parameters<typeof between>) => {
    if (reads++ === 0) await end()
    // Longer than a slice.
    await pause(10)
    return between.apply(eventLog, range)
  })
  return () => reads
}

test('a verification ends when its client has gone', async (t) => {
  const sockets: Socket[] = []
  service.service.http.server.on('connection', (socket) => void sockets.push(socket))
  const headers = { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' }
  const url = `${service.baseUrl}/admin/events/verify`
  const client = httpRequest(url, { method: 'POST', headers, agent: false }).on('error', () => {})
  const reads = await endAtFirstRead(t, service, async () => {
    client.destroy()
    await once(sockets[0]!, 'close')
  })
  client.end('{}')
  await until(() => reads() === 1)
  // Verifications run one after the other.
  assert.deepEqual(await kinds(), [])
  assert.equal(reads(), 1)
})

test('a verification ends when the service shuts down', async (t) => {
  await using stopped = await startTestService()
  const reads = await endAtFirstRead(t, stopped, () => stopped.service.drain(0))
  await refused(stopped.admin.verifyDeploymentEvents(), 'SERVICE_UNAVAILABLE')
  assert.equal(reads(), 1)
})
