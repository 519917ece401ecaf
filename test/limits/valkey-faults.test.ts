import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { noValkey, startValkey, type ValkeyServer } from '../support/databases/valkey-server.ts'
import { scrape } from '../support/http/scrape.ts'
import { admittedOf, ask, freshClient, quota, startValkeyNode, type ValkeyNode } from '../support/limit-nodes.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** What clients saw during a fault of Valkey. */
interface LoadReport {
  readonly statuses: Map<number, number>
  /** The requests that each service admitted, by client. */
  readonly admitted: Map<string, number[]>
  readonly slowestMs: number
}

/** Twelve concurrent clients send four times their quota to the services in turn, then the next twelve, until the work is done. */
async function loadDuring(services: readonly TestService[], work: () => Promise<void>): Promise<LoadReport> {
  const statuses = new Map<number, number>()
  const admitted = new Map<string, number[]>()
  let slowestMs = 0
  let isOver = false
  async function sendRequests(): Promise<void> {
    while (!isOver) {
      const client = freshClient()
      const counts = services.map(() => 0)
      admitted.set(client, counts)
      for (let i = 0; i < 4 * quota; i++) {
        const begun = performance.now()
        const status = await ask(services[i % services.length]!, client)
        slowestMs = Math.max(slowestMs, performance.now() - begun)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 401) counts[i % services.length]!++
      }
    }
  }
  const clients = Promise.all(Array.from({ length: 12 }, sendRequests))
  await work().finally(() => {
    isOver = true
  })
  await clients
  return { statuses, admitted, slowestMs }
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0)

/** Every answer comes from the limit, none is delayed, and no service admits a client more often than its quota. */
function assertLimited({ statuses, admitted, slowestMs }: LoadReport, t: TestContext): void {
  const totals = [...admitted.values()].map(sum)
  t.diagnostic(
    `${sum(statuses.values())} requests of ${totals.length} clients; quota ${quota}, admitted ${Math.min(...totals)} to ${Math.max(...totals)} per client; slowest answer ${Math.round(slowestMs)} ms`,
  )
  assert.deepEqual([...statuses.keys()].sort(), [401, 429])
  for (const counts of admitted.values()) {
    assert.ok(sum(counts) >= quota, `admitted less than the quota: ${counts}`)
    for (const count of counts) assert.ok(count <= quota, `admitted more than the quota of a service: ${counts}`)
  }
  assert.ok(slowestMs < 3_000, `${slowestMs} ms`)
}

describe('G08: limits when Valkey fails', { skip: noValkey }, () => {
  let valkey: ValkeyServer
  let nodes: ValkeyNode[]
  let services: TestService[]
  before(async () => {
    if (noValkey) return
    valkey = await startValkey()
    nodes = [await startValkeyNode(valkey.address), await startValkeyNode(valkey.address)]
    services = nodes.map(({ service }) => service)
  })
  after(async () => {
    for (const service of services ?? []) await service.close()
    await valkey?.close()
  })

  const logged = (text: string) =>
    nodes.map(({ limiterLog }) => limiterLog.filter((line) => line.includes(text)).length)

  /** Each service logs one outage and its end during `work`, and the services share their limits again. */
  async function assertOneOutage(work: (over: () => Promise<void>) => Promise<unknown>): Promise<void> {
    for (const { limiterLog } of nodes) limiterLog.length = 0
    await work(() => until(() => logged('answers again').every((count) => count > 0)))
    assert.deepEqual(logged('does not answer'), [1, 1])
    assert.deepEqual(logged('answers again'), [1, 1])
    await assertShared()
  }

  /** The metric of each service. */
  const areShared = () =>
    Promise.all(services.map(async (service) => (await scrape(service)).value('tenantry_limiter_shared')))

  const untilAlone = () => until(async () => (await areShared()).every((shared) => shared === 0))

  async function assertShared(): Promise<void> {
    assert.deepEqual(await areShared(), [1, 1])
    assert.equal(await admittedOf(services, freshClient(), 100), quota)
  }

  test('continues when Valkey is killed under load and restarted', (t) =>
    assertOneOutage(async (over) => {
      const report = await loadDuring(services, async () => {
        await pause(200)
        await valkey.kill()
        await untilAlone()
        await valkey.start()
        await over()
        await pause(200)
      })
      assertLimited(report, t)
    }))

  /** The ids that Valkey gave the connections of the services. */
  async function connections(): Promise<string[]> {
    const all = String(await valkey.client.client('LIST')).split('\n')
    return all.filter((line) => line.includes(' name=tenantry ')).map((line) => /^id=(\d+)/.exec(line)![1]!)
  }

  test('continues while Valkey stays connected but does not answer', (t) =>
    assertOneOutage(async (over) => {
      const connected = await connections()
      const report = await loadDuring(services, async () => {
        await pause(200)
        valkey.freeze()
        await pause(1_500)
        await untilAlone()
        valkey.thaw()
        await over()
        await pause(200)
      })
      assertLimited(report, t)
      for (const id of await connections())
        assert.ok(!connected.includes(id), 'a connection without answers was not replaced')
    }))

  test('reconnects when Valkey becomes a read-only replica, until it is a primary again', () =>
    assertOneOutage(async (over) => {
      const connected = await connections()
      await valkey.client.replicaof('127.0.0.1', 1)
      assert.equal(await admittedOf(services, freshClient(), 40), 2 * quota)
      await pause(600)
      assert.deepEqual(logged('answers again'), [0, 0])
      assert.deepEqual(await areShared(), [0, 0])
      for (const id of await connections())
        assert.ok(!connected.includes(id), 'a connection to the replica was not replaced')
      await valkey.client.replicaof('NO', 'ONE')
      await over()
    }))

  test('admits at most twice the quota when Valkey is flushed under load, scripts included', async (t) => {
    for (const { limiterLog } of nodes) limiterLog.length = 0
    const report = await loadDuring(services, async () => {
      for (let i = 0; i < 5; i++) {
        await pause(50)
        await valkey.client.flushall()
        await valkey.client.script('FLUSH')
      }
    })
    assertLimited(report, t)
    const client = freshClient()
    assert.equal(await admittedOf(services, client, 40), quota)
    await valkey.client.flushall()
    const again = await admittedOf(services, client, 40)
    assert.ok(again <= quota, `${again}`)
    assert.equal(await admittedOf(services, client, 40), 0)
    assert.deepEqual(logged(''), [0, 0])
    await assertShared()
  })

  test('counts alone when started without Valkey, and shares limits once it is available', async () => {
    await using other = await startValkey()
    await other.kill()
    const { service, limiterLog } = await startValkeyNode(other.address)
    await using _ = service
    const client = freshClient()
    assert.equal(await admittedOf([service], client, 30), quota)
    assert.match(limiterLog.join(), /ECONNREFUSED.*Valkey does not answer/)
    await other.start()
    await until(() => limiterLog.length === 2)
    assert.equal(await admittedOf([service], client, 30), 0)
    await ask(service, freshClient())
    assert.equal((await other.client.keys('tenantry:limit:*')).length, 1)
  })

  test('logs a wrong Valkey password without the password, and counts alone', async () => {
    await using guarded = await startValkey({ password: 'right-and-secret' })
    const right = await startValkeyNode(guarded.address)
    await using _ = right.service
    const wrong = await startValkeyNode({ ...guarded.address, password: 'wrong-and-secret' })
    await using __ = wrong.service
    const client = freshClient()
    assert.equal(await admittedOf([right.service], client, 30), quota)
    assert.equal(await admittedOf([wrong.service], client, 30), quota)
    assert.equal(right.limiterLog.length, 0)
    assert.match(wrong.limiterLog.join(), /WRONGPASS|NOAUTH/)
    assert.doesNotMatch(wrong.limiterLog.join(), /and-secret/)
  })
})
