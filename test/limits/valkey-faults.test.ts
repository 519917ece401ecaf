import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { admittedOf, ask, freshClient, quota, startValkeyNode, type ValkeyNode } from '../support/limit-nodes.ts'
import { scrape } from '../support/scrape.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { noValkey, startValkey, type ValkeyServer } from '../support/valkey-server.ts'

/** What clients saw while something happened to what the services count in. */
interface Siege {
  readonly statuses: Map<number, number>
  /** By client, how often each service admitted it. */
  readonly admitted: Map<string, number[]>
  readonly slowestMs: number
}

/** Twelve clients at a time ask the services in turn, each four times its quota, then the next; until the work is done. */
async function besiege(services: readonly TestService[], work: () => Promise<void>): Promise<Siege> {
  const statuses = new Map<number, number>()
  const admitted = new Map<string, number[]>()
  let slowestMs = 0
  let isOver = false
  async function attack(): Promise<void> {
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
  const attacks = Promise.all(Array.from({ length: 12 }, attack))
  await work().finally(() => {
    isOver = true
  })
  await attacks
  return { statuses, admitted, slowestMs }
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0)

/** Every answer was the limit's, nobody waited, and no service admitted a client more often than its quota. */
function judge({ statuses, admitted, slowestMs }: Siege, t: TestContext): void {
  const totals = [...admitted.values()].map(sum)
  t.diagnostic(
    `${sum(statuses.values())} requests of ${totals.length} clients; of ${quota} a client got ${Math.min(...totals)} to ${Math.max(...totals)}; slowest answer ${Math.round(slowestMs)} ms`,
  )
  assert.deepEqual([...statuses.keys()].sort(), [401, 429])
  for (const counts of admitted.values()) {
    assert.ok(sum(counts) >= quota, `not less than the quota: ${counts}`)
    for (const count of counts) assert.ok(count <= quota, `not more than the quota of each service: ${counts}`)
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

  /** Each service told of one outage and of its end, in the time of `work`, and they share their limits again. */
  async function assertOneOutage(work: (over: () => Promise<void>) => Promise<unknown>): Promise<void> {
    for (const { limiterLog } of nodes) limiterLog.length = 0
    await work(() => until(() => logged('answers again').every((count) => count > 0)))
    assert.deepEqual(logged('does not answer'), [1, 1])
    assert.deepEqual(logged('answers again'), [1, 1])
    await assertShared()
  }

  /** What the metrics say of it, of each service. */
  const areShared = () =>
    Promise.all(services.map(async (service) => (await scrape(service)).value('tenantry_limiter_shared')))

  async function assertShared(): Promise<void> {
    assert.deepEqual(await areShared(), [1, 1])
    assert.equal(await admittedOf(services, freshClient(), 100), quota)
  }

  test('it is killed under load and started again', (t) =>
    assertOneOutage(async (over) => {
      const siege = await besiege(services, async () => {
        await pause(200)
        await valkey.kill()
        await pause(500)
        assert.deepEqual(await areShared(), [0, 0])
        await valkey.start()
        await over()
        await pause(200)
      })
      judge(siege, t)
    }))

  /** The ids that Valkey gave the connections of the services. */
  async function connections(): Promise<string[]> {
    const all = String(await valkey.client.client('LIST')).split('\n')
    return all.filter((line) => line.includes(' name=tenantry ')).map((line) => /^id=(\d+)/.exec(line)![1]!)
  }

  test('it stays connected under load but answers nothing for a while', (t) =>
    assertOneOutage(async (over) => {
      const connected = await connections()
      const siege = await besiege(services, async () => {
        await pause(200)
        valkey.freeze()
        await pause(1_500)
        assert.deepEqual(await areShared(), [0, 0])
        valkey.thaw()
        await over()
        await pause(200)
      })
      judge(siege, t)
      for (const id of await connections()) assert.ok(!connected.includes(id), 'a silent connection is replaced')
    }))

  test('it becomes a replica, which takes no writes, and a primary again', () =>
    assertOneOutage(async (over) => {
      const connected = await connections()
      await valkey.client.replicaof('127.0.0.1', 1)
      assert.equal(await admittedOf(services, freshClient(), 40), 2 * quota)
      await pause(600)
      assert.deepEqual(logged('answers again'), [0, 0])
      assert.deepEqual(await areShared(), [0, 0])
      for (const id of await connections()) assert.ok(!connected.includes(id), 'another one might find the primary')
      await valkey.client.replicaof('NO', 'ONE')
      await over()
    }))

  test('it is emptied under load, scripts included: nobody gets more than twice the quota', async (t) => {
    for (const { limiterLog } of nodes) limiterLog.length = 0
    const siege = await besiege(services, async () => {
      for (let i = 0; i < 5; i++) {
        await pause(50)
        await valkey.client.flushall()
        await valkey.client.script('FLUSH')
      }
    })
    judge(siege, t)
    const client = freshClient()
    assert.equal(await admittedOf(services, client, 40), quota)
    await valkey.client.flushall()
    const again = await admittedOf(services, client, 40)
    assert.ok(again <= quota, `${again}`)
    assert.equal(await admittedOf(services, client, 40), 0)
    assert.deepEqual(logged(''), [0, 0])
    await assertShared()
  })

  test('a service that starts without it counts by itself, and shares once it is there', async () => {
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

  test('a wrong password is told in the log, without it, and the service counts by itself', async () => {
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
