import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type Connection, followStream, type Source } from './follow-stream.ts'

const item = (id: string) => ({ id })

class FakeSource implements Source {
  readyState = 0
  readonly lastEventId: string
  readonly #listeners = new Map<string, (event: MessageEvent<string>) => void>()
  constructor(lastEventId: string) {
    this.lastEventId = lastEventId
  }
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.#listeners.set(type, listener)
  }
  fire(type: 'open' | 'error' | 'message', data = ''): void {
    this.#listeners.get(type)?.({ data } as MessageEvent<string>)
  }
  close(): void {
    this.readyState = 2
  }
  send(id: string): void {
    this.fire('message', JSON.stringify(item(id)))
  }
  /** The browser tries again by itself. */
  break(): void {
    this.readyState = 0
    this.fire('error')
  }
  /** The browser has given up. */
  refuse(): void {
    this.readyState = 2
    this.fire('error')
  }
}

const passing = new Error('passes')

/** Follows a stream whose list answers with `answers`, one after the other, and its check with `checks`. */
function follow(
  t: TestContext,
  answers: readonly (readonly string[] | Error)[],
  checks: readonly (Error | null)[] = [],
) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const left = [...answers]
  const leftChecks = [...checks]
  const checked: string[] = []
  const sources: FakeSource[] = []
  const received: string[] = []
  const connections: Connection[] = []
  const stop = followStream<{ readonly id: string }>({
    event: 'message',
    idOf: ({ id }) => id,
    none: 'none',
    open(lastEventId) {
      const source = new FakeSource(lastEventId)
      sources.push(source)
      return source
    },
    async list() {
      const answer = left.shift() ?? []
      if (answer instanceof Error) throw answer
      return answer.map(item)
    },
    async check(lastEventId) {
      checked.push(lastEventId)
      const refusal = leftChecks.shift()
      if (refusal) throw refusal
    },
    onItems: (items) => void received.push(...items.map(({ id }) => id)),
    onConnection: (connection) => void connections.push(connection),
    mayPass: (error) => error === passing,
    delays: [500, 1_000],
  })
  return { sources, received, connections, checked, stop }
}

test('shows what is stored, then follows the stream after it', async (t) => {
  const { sources, received, connections } = follow(t, [['a', 'b']])
  await turn()
  assert.deepEqual([sources[0]?.lastEventId, connections], ['b', ['connecting']])
  sources[0]?.fire('open')
  sources[0]?.send('c')
  assert.deepEqual([received, connections.at(-1)], [['a', 'b', 'c'], 'live'])
})

test('follows an empty list from its beginning', async (t) => {
  const { sources, received } = follow(t, [[]])
  await turn()
  assert.deepEqual([sources[0]?.lastEventId, received], ['none', []])
})

test('leaves a broken stream to the browser, which resumes it', async (t) => {
  const { sources, connections } = follow(t, [['a']])
  await turn()
  sources[0]?.fire('open')
  sources[0]?.break()
  assert.deepEqual([sources.length, connections.at(-1)], [1, 'reconnecting'])
  sources[0]?.fire('open')
  assert.equal(connections.at(-1), 'live')
})

test('opens a refused stream again after the last item, and lets the stream bring what is missing', async (t) => {
  const { sources, received, connections } = follow(t, [['a'], ['a', 'b', 'c']])
  await turn()
  sources[0]?.fire('open')
  sources[0]?.send('b')
  sources[0]?.refuse()
  assert.equal(connections.at(-1), 'reconnecting')
  t.mock.timers.tick(500)
  await turn()
  assert.deepEqual([sources[1]?.lastEventId, received], ['b', ['a', 'b']])
  sources[1]?.send('c')
  assert.deepEqual(received, ['a', 'b', 'c'])
})

test('waits longer while the service does not answer, and stops at a refusal', async (t) => {
  const refusal = new Error('refused')
  const { sources, connections } = follow(t, [passing, passing, refusal])
  await turn()
  t.mock.timers.tick(500)
  await turn()
  t.mock.timers.tick(500)
  await turn()
  assert.equal(connections.length, 3)
  t.mock.timers.tick(500)
  await turn()
  assert.deepEqual(connections, ['connecting', 'reconnecting', 'reconnecting', { error: refusal }])
  t.mock.timers.tick(60_000)
  await turn()
  assert.equal(sources.length, 0)
})

test('stops when the stream is refused for good, though the list is answered', async (t) => {
  const refusal = new Error('refused')
  const { sources, connections, checked } = follow(t, [['a'], ['a'], ['a']], [passing, refusal])
  await turn()
  assert.deepEqual(checked, [])
  sources[0]?.refuse()
  t.mock.timers.tick(500)
  await turn()
  assert.deepEqual([checked, connections.at(-1)], [['a'], 'reconnecting'])
  t.mock.timers.tick(1_000)
  await turn()
  assert.deepEqual([checked, connections.at(-1)], [['a', 'a'], { error: refusal }])
  t.mock.timers.tick(60_000)
  await turn()
  assert.equal(sources.length, 1)
})

test('stops: no stream stays open', async (t) => {
  const { sources, stop } = follow(t, [['a']])
  await turn()
  stop()
  assert.equal(sources[0]?.readyState, 2)
})

test('stops before the list has arrived', async (t) => {
  const { sources, received, connections, stop } = follow(t, [['a']])
  stop()
  await turn()
  assert.deepEqual([sources, received, connections], [[], [], ['connecting']])
})
