import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { ulid } from '../../server/core/ids.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { storedRows } from '../support/databases/stored-rows.ts'
import { readMail } from '../support/delivery/received-mail.ts'
import { startMailServer } from '../support/delivery/sending.ts'
import { deploymentFrom, deploymentSmtp, drain, startSendingService } from '../support/delivery/sending-service.ts'
import { startServer } from '../support/faults/server-process.ts'
import type { SmtpPeer } from '../support/peers/smtp-peer.ts'
import { afterFile } from '../support/runner/after-file.ts'
import { sampleSize } from '../support/runner/sample-size.ts'
import { type TestService, testAdminKey } from '../support/service.ts'
import { until } from '../support/until.ts'

const scope = 'otp_signin'

/** Equivalent to another process on the same file: the services share only the file and the clock. */
const startSecond = ({ clock, masterKeys, database }: TestService, peer: SmtpPeer, name: string) =>
  startSendingService([deploymentSmtp(peer, { name })], { clock, masterKeys, database })

const messages = (service: TestService) =>
  storedRows(service, 'SELECT id, state, attempts, sender, last_error FROM outbox ORDER BY id')

const idOf = ({ messageId }: { messageId: string }) => /^<(\w+)@/.exec(messageId)?.[1] ?? ''

const messageCount = sampleSize(1_000, 250)

test(`sends each of ${messageCount} messages exactly once with two workers on one database file`, async () => {
  const peer = await startMailServer()
  await using one = await startSendingService([deploymentSmtp(peer, { name: 'one' })])
  await using two = await startSecond(one, peer, 'two')
  const workers = [one, two].map(({ service }) => service.services.delivery)
  const tenants = await Promise.all(Array.from({ length: 4 }, () => one.addTenant()))
  await Promise.all(workers.map((worker) => worker.stop()))
  const createdAt = one.clock.now()
  const notice = {
    kind: 'password_changed',
    otpId: null,
    userId: 'x',
    deliveryMethod: 'email',
    locale: 'en',
    createdAt,
  } as const
  await Promise.all(
    Array.from({ length: messageCount }, (_, at) => {
      const store = one.service.services.storage.forTenant(tenants[at % tenants.length]!.tenantId).messages
      const recipient = `person-${at}@example.org`
      return store.notify({ ...notice, id: ulid(createdAt), recipient, expiresAt: createdAt + 600_000 })
    }),
  )
  for (const worker of workers) worker.start()
  await Promise.all(workers.map((worker) => worker.drain()))
  const ids = peer.received.map(readMail).map(idOf)
  assert.deepEqual([ids.length, new Set(ids).size], [messageCount, messageCount])
  const rows = messages(one)
  assert.deepEqual(ids.toSorted(), rows.map(({ id }) => id).toSorted())
  assert.ok(rows.every(({ state, attempts }) => state === 'sent' && attempts === 1))
  assert.deepEqual(
    [...new Set(rows.map(({ sender }) => sender))].toSorted(),
    ['one', 'two'],
    'one worker sent every message',
  )
})

test('ignores the results of a worker whose leases have expired', async () => {
  const waking = Promise.withResolvers<void>()
  const slow = await startMailServer({ hangAt: 'data', hangUntil: waking.promise })
  const quick = await startMailServer()
  await using sleeper = await startSendingService([deploymentSmtp(slow, { name: 'slow', connections: 16 })])
  const { client } = await sleeper.addTenant()
  const { delivery } = sleeper.service.services
  await delivery.stop()
  const issued = await Promise.all(
    Array.from({ length: 20 }, (_, person) => client.issueOtp({ scope, email: `person-${person}@example.org` })),
  )
  delivery.start()
  // Sixteen of a tenant are sent at once; the others are claimed too and wait.
  await until(() => slow.received.length === 16 && messages(sleeper).every(({ state }) => state === 'sending'))
  await using other = await startSecond(sleeper, quick, 'quick')
  await drain(other)
  assert.deepEqual(quick.received, [], 'no other worker sends a leased message')

  sleeper.clock.advance(60_000)
  await drain(other)
  assert.equal(quick.received.length, 20)
  const taken = messages(sleeper)
  assert.ok(taken.every(({ state, sender, attempts }) => state === 'sent' && sender === 'quick' && attempts === 2))
  waking.resolve()
  await drain(sleeper)
  assert.equal(slow.received.length, 16, 'it sent messages that another worker had taken over')
  assert.deepEqual(messages(sleeper), taken)

  const codes = new Map(quick.received.map(readMail).map((mail) => [mail.messageId, mail.code]))
  for (const twice of slow.received.map(readMail)) assert.equal(codes.get(twice.messageId), twice.code)
  assert.equal(codes.size, issued.length)
})

test('delivers each message once or twice with one Message-ID and code after a kill between sending and recording', async (t) => {
  const peer = await startMailServer()
  await using service = await startSendingService([deploymentSmtp(peer)], { start: Date.now() })
  // Messages that it accepts are sent by other processes.
  await service.service.services.delivery.stop()
  const { client } = await service.addTenant()
  const issued = await Promise.all(
    Array.from({ length: 20 }, (_, person) => client.issueOtp({ scope, email: `person-${person}@example.org` })),
  )

  const { ended } = startDying(service, peer, 0, 'dies')
  assert.equal(await ended, 'SIGKILL')
  const before = peer.received.length
  assert.ok(before > 0, 'no message was accepted before the kill')
  assert.ok(messages(service).every(({ state }) => state === 'sending'))

  const survivor = startDying(service, peer, 61_000, 'lives')
  await until(() => messages(service).every(({ state }) => state === 'sent'))
  const mails = peer.received.map(readMail)
  t.diagnostic(`${before} of 20 were accepted before the kill, ${mails.length} arrived in total`)
  assert.equal(mails.length, 20 + before)
  for (const [person, { id }] of issued.entries()) {
    const arrived = mails.filter(({ to }) => to[0] === `person-${person}@example.org`)
    assert.ok(arrived.length === 1 || arrived.length === 2)
    assert.equal(new Set(arrived.map(({ messageId }) => messageId)).size, 1)
    assert.equal(new Set(arrived.map(({ code }) => code)).size, 1)
    await client.verifyOtp({ id, scope, code: arrived[0]!.code! })
  }
  survivor.end()
  await survivor.ended
})

testOnSqliteAlone('on PostgreSQL other processes may hold leases')(
  'sends the messages of a killed server at once on restart, before their leases expire',
  async () => {
    const [hanging, peer] = [await startMailServer({ hangAt: 'data' }), await startMailServer()]
    const folder = await mkdtemp(join(tmpdir(), 'tenantry-leases-'))
    afterFile(() => rm(folder, { recursive: true, force: true }))
    const secrets = { adminKey: testAdminKey, masterKeys: generateMasterKeys(0) }
    const startWith = async ({ port }: SmtpPeer) => {
      const server = await startServer(folder, secrets, {
        TENANTRY_ENVIRONMENT: 'production',
        TENANTRY_PUBLIC_URL: 'https://accounts.example.com',
        SMTP_URL: `smtp://127.0.0.1:${port}?tls=off`,
        MAIL_FROM: deploymentFrom.address,
      })
      afterFile(() => server.process.kill('SIGKILL'))
      return server
    }
    const { baseUrl, end } = await startWith(hanging)
    const admin = createTenantryAdmin({ baseUrl, adminKey: testAdminKey })
    const { id: tenantId } = await admin.createTenant({ name: 'Killed' })
    await admin.updateConfiguration({ tenantId }, { auth: { methods: ['otp'] } })
    const { key: tenantKey } = await admin.createTenantKey({ tenantId }, {})
    const client = createTenantryClient({ baseUrl, tenantKey })
    for (let person = 0; person < 20; person++) {
      await client.issueOtp({ scope, email: `person-${person}@example.org` })
    }
    await until(() => hanging.received.length > 0)
    await end('SIGKILL')

    const begun = performance.now()
    const next = await startWith(peer)
    await until(() => peer.received.length === 20)
    assert.ok(performance.now() - begun < 30_000, 'the messages waited for their leases')
    assert.equal(await next.end('SIGTERM'), 0)
    assert.equal(new Set(peer.received.flatMap(({ to }) => to)).size, 20)
  },
)

/** `dying-sender.ts` on the service's database. */
function startDying({ database, masterKeys }: TestService, { port }: SmtpPeer, aheadMs: number, behaviour: string) {
  const script = join(import.meta.dirname, '../campaign/crashes/dying-sender.ts')
  const child = fork(script, [database.url, masterKeys, String(port), String(aheadMs), behaviour])
  afterFile(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null)
  return { ended, end: () => child.disconnect() }
}
