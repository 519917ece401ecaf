import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { listenOnLoopback } from '../../test/support/loopback.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { type } from '../terminal/terminal.testkit.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

/** A proxy whose connections can be cut. */
async function startProxy() {
  const sockets = new Set<Socket>()
  const state = { isCut: false, refused: 0, streams: 0 }
  const server = createServer((client) => {
    if (state.isCut) {
      state.refused++
      return void client.destroy()
    }
    const upstream = connect(Number(new URL(service.adminUrl).port), '127.0.0.1')
    let isStream = false
    client.on('data', (chunk) => {
      isStream = chunk.includes('/events/stream')
    })
    upstream.on('data', () => {
      if (isStream) state.streams++
      isStream = false
    })
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      sockets.add(socket.on('error', () => {}))
      socket.on('close', () => [client, upstream].forEach((one) => void one.destroy()))
    }
  })
  const port = await listenOnLoopback(server)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { url: `http://127.0.0.1:${port}`, server, state, cut }
}

const drain = () => service.service.services.events.drain()
const tenants = {
  'a log with events': async () => (await service.addTenant()).tenantId,
  'an empty log': async () => (await service.admin.createTenant({ name: 'Empty' })).id,
}

for (const [which, newTenant] of Object.entries(tenants)) {
  test(`follows ${which} without a gap or a repetition when the connection drops, also before the first event`, async (t) => {
    const tenantId = await newTenant()
    await drain()
    const known = (await service.admin.listEvents({ tenantId })).items
    assert.equal(known.length > 0, which === 'a log with events')
    const proxy = await startProxy()
    const control = new AbortController()
    t.after(() => {
      control.abort()
      proxy.cut()
      proxy.server.close()
    })
    const printed: string[] = []
    const tail = type(['events', 'tail', '--json', '--tenant', tenantId], {
      env: { TENANTRY_URL: `${proxy.url}/`, TENANTRY_ADMIN_KEY: service.adminKey },
      interrupted: control.signal,
      onOutput: (text) => printed.push(text),
    })
    const add = async (name: string) => {
      await service.admin.createTenantKey({ tenantId }, { name })
      await drain()
    }
    // The assertion says what is missing.
    const untilPrinted = (count: number) => until(() => printed.length >= count, 5_000).catch(() => {})
    for (const drops of [1, 2]) {
      await until(() => proxy.state.streams === drops)
      proxy.state.isCut = true
      proxy.cut()
      await add('while away')
      // Each drop is reported once, however many attempts it takes to connect again.
      const { refused } = proxy.state
      await until(() => proxy.state.refused >= refused + 2)
      proxy.state.isCut = false
      await untilPrinted(drops)
    }
    await add('back')
    await untilPrinted(3)
    control.abort()
    const { exitCode, errors } = await tail
    assert.equal(exitCode, 0)
    assert.equal(errors, 'The connection ended; waiting for the server.\nConnected again.\n'.repeat(2))
    const sequences = printed.map((line) => JSON.parse(line).sequence)
    assert.deepEqual(sequences, [known.length + 1, known.length + 2, known.length + 3])
  })
}
