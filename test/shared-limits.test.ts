import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import type { KeptRateLimiter } from '../server/limits/rate-limiter.ts'
import { createStoredRateLimiter } from '../server/limits/stored-rate-limiter.ts'
import { createValkeyRateLimiter } from '../server/limits/valkey-rate-limiter.ts'
import type { ValkeyAddress } from '../server/limits/valkey-url.ts'
import { openTestStorage } from '../server/storage/sqlite/open-test-storage.ts'
import { startTestService, type TestService } from './service.ts'
import { noValkey, startValkey, type ValkeyServer } from './valkey-server.ts'
import { send } from './wire.ts'

const quota = 10
const limitsText = `all=off,resend=${quota}/h`

/** A service of the deployment, and what its limiter logged. */
interface Node {
  readonly service: TestService
  readonly limiterLog: string[]
}

/** A service that counts where the limiter does. */
const startNode = (limiter: KeptRateLimiter): Promise<TestService> =>
  startTestService({ limitsText, trustedProxies: '127.0.0.0/8', limiter })

async function startValkeyNode(address: ValkeyAddress): Promise<Node> {
  const limiterLog: string[] = []
  const logger = pino({}, { write: (line: string) => void limiterLog.push(line) })
  return { service: await startNode(await createValkeyRateLimiter(address, logger)), limiterLog }
}

/** One limited request for a client; it carries no key, so what is admitted is answered 401. */
async function ask({ baseUrl }: TestService, client: string): Promise<number> {
  const headers = [['x-forwarded-for', client]] as const
  return (await send(baseUrl, { method: 'POST', path: '/otp/resend', headers })).status
}

let clients = 0
const freshClient = () => `10.9.${clients >> 8}.${clients++ & 255}`

async function admittedOf(services: readonly TestService[], client: string, requests: number): Promise<number> {
  const asked = Array.from({ length: requests }, (_, i) => ask(services[i % services.length]!, client))
  const statuses = await Promise.all(asked)
  for (const status of statuses) assert.ok(status === 401 || status === 429, `${status}`)
  return statuses.filter((status) => status === 401).length
}

/** Ends the wait when it holds; the test's own time limit ends it otherwise. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(10)
}

/** What clients saw while something happened to what the services count in. */
interface Siege {
  readonly statuses: Map<number, number>
  /** By client, how often each service admitted it. */
  readonly admitted: Map<string, number[]>
  /** Of the slowest answer. */
  readonly slowestMs: number
}

/** Twelve clients at a time ask services in turn, each four times its quota and then the next, until `work` is done. */
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
  const attacks = Array.from({ length: 12 }, attack)
  await work().finally(() => (isOver = true))
  await Promise.all(attacks)
  return { statuses, admitted, slowestMs }
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** Nobody was answered anything but what the limit says, nobody waited, and no service admitted more than a quota. */
function judge({ statuses, admitted, slowestMs }: Siege, t: TestContext): void {
  const all = [...admitted.values()]
  const totals = all.map(sum)
  t.diagnostic(
    `${sum([...statuses.values()])} requests of ${all.length} clients; of ${quota} a client got ${Math.min(...totals)} to ${Math.max(...totals)}; slowest answer ${Math.round(slowestMs)} ms`,
  )
  assert.deepEqual([...statuses.keys()].sort(), [401, 429])
  for (const counts of all) {
    assert.ok(sum(counts) >= quota, `at least the quota: ${counts}`)
    for (const count of counts) assert.ok(count <= quota, `at most the quota of each service: ${counts}`)
  }
  assert.ok(slowestMs < 1_000, `${slowestMs} ms`)
}

describe('limits shared through Valkey', { skip: noValkey }, () => {
  let valkey: ValkeyServer
  let nodes: Node[]
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
  const forgetLog = () => nodes.forEach(({ limiterLog }) => limiterLog.splice(0))
  const shareAgain = () => until(() => logged('answers again').every((count) => count > 0))

  async function assertShared(): Promise<void> {
    assert.equal(await admittedOf(services, freshClient(), 100), quota)
  }

  test('D15: of 100 requests at two services exactly a quota passes, and so it does when both are new', async () => {
    await assertShared()
    const client = freshClient()
    assert.equal(await admittedOf(services, client, 100), quota)
    const fresh = await startValkeyNode(valkey.address)
    assert.equal(await admittedOf([fresh.service], client, 20), 0)
    await fresh.service.close()
    assert.deepEqual(logged(''), [0, 0])
  })

  test('keys name nobody and expire with their window', async () => {
    await ask(services[0]!, '192.0.2.77')
    const keys = await valkey.client.keys('tenantry:limit:*')
    assert.doesNotMatch(keys.join(), /192\.0\.2/)
    for (const key of keys) {
      const ms = await valkey.client.pttl(key)
      assert.ok(ms > 3_600_000 && ms <= 3_660_000, `${ms}`)
    }
  })

  test('G08: Valkey is killed under load and started again', async (t) => {
    forgetLog()
    const siege = await besiege(services, async () => {
      await pause(200)
      await valkey.kill()
      await pause(500)
      await valkey.start()
      await shareAgain()
      await pause(200)
    })
    judge(siege, t)
    assert.deepEqual(logged('does not answer'), [1, 1])
    assert.deepEqual(logged('answers again'), [1, 1])
    await assertShared()
  })

  test('G08: Valkey is stopped under load, stays connected and answers nothing, then goes on', async (t) => {
    forgetLog()
    const siege = await besiege(services, async () => {
      await pause(200)
      valkey.freeze()
      await pause(1_500)
      valkey.thaw()
      await shareAgain()
      await pause(200)
    })
    judge(siege, t)
    assert.deepEqual(logged('does not answer'), [1, 1])
    assert.deepEqual(logged('answers again'), [1, 1])
    await assertShared()
  })

  test('G08: Valkey is emptied under load: nobody gets more than twice a quota', async (t) => {
    forgetLog()
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
    assert.deepEqual(logged(''), [0, 0])
    await assertShared()
  })

  test('G08: a service that starts without Valkey counts by itself, and shares once it is there', async () => {
    await using other = await startValkey()
    await other.kill()
    const node = await startValkeyNode(other.address)
    const client = freshClient()
    assert.equal(await admittedOf([node.service], client, 30), quota)
    assert.match(node.limiterLog.join(), /ECONNREFUSED.*Valkey does not answer/)
    await other.start()
    await until(() => node.limiterLog.length === 2)
    assert.equal(await admittedOf([node.service], client, 30), 0)
    await ask(node.service, freshClient())
    assert.equal((await other.client.keys('tenantry:limit:*')).length, 2)
    await node.service.close()
  })

  test('a wrong password is told in the log, without it, and the service counts by itself', async () => {
    await using guarded = await startValkey({ password: 'right-and-secret' })
    const right = await startValkeyNode(guarded.address)
    const wrong = await startValkeyNode({ ...guarded.address, password: 'wrong-and-secret' })
    const client = freshClient()
    assert.equal(await admittedOf([right.service], client, 30), quota)
    assert.equal(await admittedOf([wrong.service], client, 30), quota)
    assert.equal(right.limiterLog.length, 0)
    assert.match(wrong.limiterLog.join(), /WRONGPASS|NOAUTH/)
    assert.doesNotMatch(wrong.limiterLog.join(), /and-secret/)
    await right.service.close()
    await wrong.service.close()
  })
})

test('D15: limits in a database: of 100 requests at two services exactly a quota passes, and so after a restart', async () => {
  const database = await openTestStorage()
  const { limitLogs } = database.storage.system
  const services = [
    await startNode(createStoredRateLimiter(limitLogs)),
    await startNode(createStoredRateLimiter(limitLogs)),
  ]
  const client = freshClient()
  assert.equal(await admittedOf(services, client, 100), quota)
  for (const service of services) await service.close()
  await using restarted = await startNode(createStoredRateLimiter(limitLogs))
  assert.equal(await admittedOf([restarted], client, 10), 0)
  restarted.clock.advance(3_600_000)
  assert.equal(await admittedOf([restarted], client, 20), quota)
  await database.close()
})
