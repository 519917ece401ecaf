import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify from 'fastify'
import { createLinesAnswers } from './lines-answer.ts'

test('closing waits for what an answer does after its connection was cut off', async () => {
  let isOver = false
  async function* lines() {
    try {
      for (;;) yield 'x'.repeat(100_000)
    } finally {
      await wait(100)
      isOver = true
    }
  }
  const app = Fastify()
  const answerLines = createLinesAnswers(app, { clock: { now: () => 0 }, unreadMs: 60_000 })
  app.get('/', (_request, reply) => answerLines(reply, 200, lines(), async () => true))
  const sent = request(await app.listen({ port: 0, host: '127.0.0.1' })).end()
  const [answer] = await once(sent, 'response')
  answer.on('error', () => {})
  const closed = app.close()
  app.server.closeAllConnections()
  await closed
  assert.ok(isOver)
})
