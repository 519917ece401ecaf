import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployment } from '../../core/deployment.ts'
import { publicKeysOf } from '../verify/public-keys.ts'
import { currentKey, foreignKey, jwkSetOf, type SampleKey } from '../verify/sample-log.testkit.ts'
import { createEventAnchor, type EventAnchorOptions } from './anchor-heads.ts'
import { type AnchorLine, readAnchors } from './anchor-line.ts'

const headOf = (tenantId: string, batch = 3) => ({ tenantId, batch, sequence: batch * 2, hash: `hash of ${tenantId}` })

function anchorOf(tenantIds: readonly string[], more: Partial<EventAnchorOptions> = {}) {
  const [sent, warnings, logs]: [AnchorLine[], unknown[], unknown[]] = [[], [], []]
  const anchor = createEventAnchor({
    send: async (line) => void sent.push(line),
    heads: {
      list: async (after, limit) =>
        tenantIds
          .filter((id) => id > after)
          .toSorted()
          .slice(0, limit)
          .map((id) => headOf(id)),
    },
    keys: { signer: async () => currentKey },
    clock: { now: () => 5_000 },
    wallClock: { now: () => 1_795_000_000_500 },
    logger: {
      info: (details: unknown) => void logs.push(details),
      warn: (details: unknown) => void warnings.push(details),
    },
    ...more,
  })
  return { anchor, sent, warnings, logs }
}

async function* lines(sent: readonly AnchorLine[]) {
  for (const line of sent) yield JSON.stringify(line)
}

test('anchors the heads of all logs, signed, once an hour', async () => {
  const { anchor, sent, logs } = anchorOf([deployment, 'acme'])
  await anchor.run(0)
  await anchor.run(3_599_999)
  assert.equal(sent.length, 1)
  assert.equal(sent[0]!['webhook-timestamp'], '1795000000')
  assert.match(sent[0]!['webhook-signature'], /^v1a,[A-Za-z0-9+/]{86}==$/)
  const { data } = JSON.parse(sent[0]!.body)
  assert.deepEqual(data.heads, [headOf('acme'), { ...headOf(deployment), tenantId: null }])
  assert.deepEqual(logs, [{ logs: 2 }])
  const keys = publicKeysOf(jwkSetOf(currentKey))
  assert.deepEqual(await readAnchors(lines(sent), { name: 'anchors', tenantId: 'acme', keys }), [
    { batch: 3, hash: 'hash of acme', source: `the anchor of ${new Date(1_795_000_000_500).toISOString()}` },
  ])
  await anchor.run(3_600_000)
  assert.equal(sent.length, 2)
})

test('a log without events has no anchor, and anchors of another deployment are refused', async () => {
  const { anchor, sent } = anchorOf([], { heads: { list: async () => [headOf('acme', 0), headOf('other')] } })
  await anchor.run(0)
  const read = (key: SampleKey) =>
    readAnchors(lines(sent), { name: 'anchors', tenantId: 'acme', keys: publicKeysOf(jwkSetOf(key)) })
  assert.deepEqual(await read(currentKey), [])
  await assert.rejects(
    read(foreignKey),
    /anchors: line 1: signed with a checkpoint key that is not among the trusted keys/,
  )
})

test('anchors at once when the clock was set back, and not after the time that it had shown', async () => {
  const { anchor, sent } = anchorOf(['acme'])
  await anchor.run(365 * 24 * 3_600_000)
  await anchor.run(60_000)
  await anchor.run(120_000)
  assert.equal(sent.length, 2)
})

test('a failed anchor is due again', async () => {
  let isDown = true
  const sent: AnchorLine[] = []
  const send = async (line: AnchorLine) => {
    if (isDown) throw new Error('audit.example.com answered 503')
    sent.push(line)
  }
  const { anchor } = anchorOf(['acme'], { send })
  await assert.rejects(anchor.run(0), /answered 503/)
  isDown = false
  await anchor.run(60_000)
  assert.equal(sent.length, 1)
})

test('a place that hangs is given up, and gets no second anchor until it answers', async () => {
  const { promise: answers, resolve: answer } = Promise.withResolvers<void>()
  let attempts = 0
  const send = () => {
    attempts++
    return answers
  }
  const { anchor } = anchorOf(['acme'], { send, storeMs: 10 })
  await assert.rejects(anchor.run(0), /No answer within 10 ms/)
  await assert.rejects(anchor.run(60_000), /the anchor before is still not stored/)
  assert.equal(attempts, 1)
  answer()
  await anchor.run(120_000)
  assert.equal(attempts, 2)
})

test('many logs are anchored in several messages', async () => {
  const ids = Array.from({ length: 2_500 }, (_, index) => `tenant-${String(index).padStart(5, '0')}`)
  const { anchor, sent } = anchorOf(ids)
  await anchor.run(0)
  assert.deepEqual(
    sent.map(({ body }) => JSON.parse(body).data.heads.length),
    [1_000, 1_000, 500],
  )
})

test('without logs nothing is sent', async () => {
  const { anchor, sent } = anchorOf([])
  await anchor.run(0)
  assert.deepEqual(sent, [])
})

test('a stop anchors once more, and does not wait longer than its time', async () => {
  const { anchor, sent } = anchorOf(['acme'])
  await anchor.run(0)
  await anchor.stop()
  assert.equal(sent.length, 2)
  let signal: AbortSignal | undefined
  const stuck = anchorOf(['acme'], {
    graceMs: 10,
    send: (_line, given) => {
      signal = given
      return new Promise(() => {})
    },
  })
  await stuck.anchor.stop()
  assert.equal(signal?.aborted, true)
  assert.deepEqual(stuck.warnings, [{ problem: 'not done within 0.01 s' }])
})
