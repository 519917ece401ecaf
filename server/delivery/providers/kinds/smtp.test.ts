import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf } from '../../../../test/support/peers/failed-sending.ts'
import { canaryCode, neverAborted, renderedEmail } from '../../../../test/support/peers/rendered-message.ts'
import { talking } from '../../../../test/support/peers/smtp-talk.ts'
import { suspend } from '../../../../test/support/suspend.ts'
import { until } from '../../../../test/support/until.ts'
import { TemporaryFailure } from '../../provider.ts'
import { sendWithTimeout } from '../../send-with-timeout.ts'

const temporary = { name: 'TemporaryFailure' }
const permanent = { name: 'PermanentFailure' }

const steps = ['mail', 'rcpt', 'data'] as const
for (const at of steps) {
  for (const code of [421, 450] as const) {
    test(`${code} at ${at.toUpperCase()} → TemporaryFailure of ${code === 450 && at !== 'mail' ? 'this message' : 'the server'}, and no second try of our own`, async () => {
      await using talk = await talking({ refuse: { at, code } })
      const error = await failureOf(talk.provider.send(renderedEmail(), neverAborted))
      assert.ok(error instanceof TemporaryFailure)
      assert.equal(error.concerns, code === 450 && at !== 'mail' ? 'message' : 'provider')
      assert.match(error.message, new RegExp(`^127\\.0\\.0\\.1 .+${code}.*no, thank you`))
      assert.equal(talk.peer.connections(), 1)
    })
  }
  test(`550 at ${at.toUpperCase()} → PermanentFailure, and the connection serves the next message`, async () => {
    await using talk = await talking({ refuse: { at, code: 550 } }, { connections: 1 })
    const words = /^127\.0\.0\.1 refused the message: 550.* no, thank you$/
    assert.match((await failureOf(talk.provider.send(renderedEmail(), neverAborted))).message, words)
    await assert.rejects(talk.provider.send(renderedEmail(), neverAborted), { ...permanent, message: words })
    assert.equal(talk.peer.connections(), 1)
    assert.deepEqual(talk.peer.received, [])
  })
}

test('treats 530 (authentication required) and 503 as temporary', async () => {
  for (const code of [503, 530]) {
    await using talk = await talking({ refuse: { at: 'mail', code } })
    const error = await failureOf(talk.provider.send(renderedEmail(), neverAborted))
    assert.ok(error instanceof TemporaryFailure)
    assert.equal(error.concerns, 'provider')
  }
})

test('removes quotes of the message from a reply', async () => {
  const spaced = [...canaryCode].join(' ')
  const replies: ((raw: string) => string)[] = [
    (raw) => `5.7.1 spam: ${raw.replace(/\s+/g, ' ')}`,
    () => `5.7.1 spam: "${canaryCode} is your code to sign in. It is valid" mike@example.org`,
    () =>
      `5.7.1 spam ${spaced} and ${spaced.replaceAll(' ', '-')} and ${Buffer.from(renderedEmail().text).toString('base64')}`,
    () => `5.7.1 ${'x'.repeat(170)} ${canaryCode} ${canaryCode}`,
  ]
  for (const reply of replies) {
    await using talk = await talking({ refuse: { at: 'data', code: 554, reply } })
    const { message } = await failureOf(talk.provider.send(renderedEmail(), neverAborted))
    assert.match(message, /^127\.0\.0\.1 refused the message: 554 5\.7\.1/)
    assert.doesNotMatch(message, /mike@|valid for|sign in/i)
    assert.ok(message.length < 260, message)
  }
})

test('treats 554 before any message as temporary, because it does not concern the message', async () => {
  await using talk = await talking({ refuse: { at: 'banner', code: 554 } })
  await assert.rejects(talk.provider.send(renderedEmail(), neverAborted), {
    ...temporary,
    message: /does not accept mail now: 554/,
  })
})

test('reports wrong credentials as temporary, without the password that the server echoes', async () => {
  const credentials = { user: 'apikey', password: 'canary-password' }
  await using talk = await talking({ credentials: { ...credentials, password: 'other' } }, { credentials })
  const error = await failureOf(talk.provider.send(renderedEmail(), neverAborted))
  assert.equal(error.name, 'TemporaryFailure')
  assert.equal(
    error.message,
    '127.0.0.1 did not accept user name and password (535): check the settings of this sender',
  )
})

test('says so when the server takes credentials only with TLS', async () => {
  const credentials = { user: 'apikey', password: 'canary-password' }
  for (const code of [530, 538]) {
    await using talk = await talking({ credentials, refuse: { at: 'auth', code } }, { credentials })
    await assert.rejects(talk.provider.send(renderedEmail(), neverAborted), {
      ...temporary,
      message: `127.0.0.1 takes user name and password only with TLS (${code})`,
    })
  }
})

test('says so when the server could not check the credentials now', async () => {
  const credentials = { user: 'apikey', password: 'canary-password' }
  await using talk = await talking({ credentials, refuse: { at: 'auth', code: 454 } }, { credentials })
  await assert.rejects(talk.provider.send(renderedEmail(), neverAborted), {
    ...temporary,
    message: '127.0.0.1 could not check user name and password now (454)',
  })
})

test('authenticates with correct credentials', async () => {
  const credentials = { user: 'apikey', password: 'päss wörd:%/#' }
  await using talk = await talking({ credentials }, { credentials })
  await talk.provider.send(renderedEmail(), neverAborted)
  assert.equal(talk.peer.received[0]?.user, 'apikey')
})

test('times out without a greeting', async () => {
  await using talk = await talking({ hangAt: 'banner' }, { timeouts: { greetingMs: 150 } })
  const words = /did not greet in time/
  await assert.rejects(talk.provider.send(renderedEmail(), neverAborted), { ...temporary, message: words })
})

test('gives up at its deadline when the server does not answer DATA', async () => {
  await using talk = await talking({ hangAt: 'data' })
  const sent = sendWithTimeout(talk.provider, renderedEmail(), 1_000)
  await assert.rejects(sent, { ...temporary, message: 'did not accept the message within 1 s' })
  await until(() => talk.peer.openConnections() === 0)
})

test('takes a reply to DATA that arrived while this process was suspended', async () => {
  const { promise: hangUntil, resolve: reply } = Promise.withResolvers<void>()
  await using talk = await talking({ hangAt: 'data', hangUntil }, { timeouts: { idleMs: 50 } })
  const deadline = new AbortController()
  const sent = talk.provider.send(renderedEmail(), deadline.signal)
  await Promise.race([sent, until(() => talk.peer.received.length === 1)])
  reply()
  await hangUntil
  // As `withDeadline` does.
  setTimeout(() => setImmediate(() => deadline.abort()), 10)
  suspend(100)
  await sent
})

test('closes a connection without work', async () => {
  await using talk = await talking({}, { timeouts: { idleMs: 50 } })
  await talk.provider.send(renderedEmail(), neverAborted)
  await until(() => talk.peer.openConnections() === 0)
})

test('does not resend a message when the server disconnects after DATA, because it may have accepted it', async () => {
  await using talk = await talking({ dropAt: 'data' })
  const closed = { ...temporary, message: '127.0.0.1 closed the connection' }
  await assert.rejects(talk.provider.send(renderedEmail(), neverAborted), closed)
  assert.deepEqual([talk.peer.received.length, talk.peer.connections()], [1, 1])
})

test('gives up when the server disconnects before its greeting', async () => {
  await using talk = await talking({ dropAt: 'banner' })
  await assert.rejects(talk.provider.send(renderedEmail(), neverAborted), temporary)
  assert.ok(talk.peer.connections() <= 3)
})

test('reconnects when the server closed an idle connection', async () => {
  await using talk = await talking({}, { connections: 1 })
  await talk.provider.send(renderedEmail(), neverAborted)
  talk.peer.drop()
  await talk.provider.send(renderedEmail({ id: 'second' }), neverAborted)
  assert.deepEqual([talk.peer.received.length, talk.peer.connections()], [2, 2])
})

test('reports a closed port as temporary', async () => {
  const { peer, provider } = await talking()
  await peer.close()
  await assert.rejects(provider.send(renderedEmail(), neverAborted), {
    ...temporary,
    message: /refused the connection/,
  })
  await provider.close()
})

test('aborts sending with the signal, without affecting the next message', async () => {
  await using hanging = await talking({ hangAt: 'data' })
  const start = performance.now()
  const given = { ...temporary, message: /aborted/ }
  await assert.rejects(hanging.provider.send(renderedEmail(), AbortSignal.timeout(50)), given)
  await assert.rejects(hanging.provider.send(renderedEmail(), AbortSignal.abort()), given)
  assert.ok(performance.now() - start < 5_000)
  await using talk = await talking()
  await assert.rejects(talk.provider.send(renderedEmail(), AbortSignal.abort()), given)
  assert.equal(talk.peer.connections(), 0)
  await talk.provider.send(renderedEmail(), neverAborted)
  assert.equal(talk.peer.received.length, 1)
})

test('sends a hundred parallel messages over the connection pool', async () => {
  await using talk = await talking({}, { connections: 3 })
  const ids = Array.from({ length: 100 }, (_, index) => `id-${index}`)
  await Promise.all(ids.map((id) => talk.provider.send(renderedEmail({ id }), neverAborted)))
  assert.equal(talk.peer.received.length, 100)
  assert.ok(talk.peer.connections() <= 3)
})

test('completes the message being sent on close, and accepts no other', async () => {
  const { peer, provider } = await talking()
  const sent = provider.send(renderedEmail(), neverAborted)
  while (peer.connections() === 0) await new Promise((resolve) => setImmediate(resolve))
  await provider.close()
  await sent
  await assert.rejects(provider.send(renderedEmail(), neverAborted), temporary)
  assert.equal(peer.received.length, 1)
  await peer.close()
})
