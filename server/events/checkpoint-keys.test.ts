import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import { createKeyring } from '../secrets/keyring.ts'
import { generateMasterKeys } from '../secrets/master-keys.ts'
import { type CheckpointKey, createCheckpointKeys } from './checkpoint-keys.ts'
import { isSignatureOf, signDigest, thumbprint } from './seal.ts'

const t0 = Date.UTC(2026, 0, 1)
const year = 365 * 86_400_000
const keyring = createKeyring(generateMasterKeys(t0))

/** A table of keys that two processes share. */
function keysOf(rings = [keyring, keyring]) {
  const stored: CheckpointKey[] = []
  const store = {
    list: async () => [...stored],
    add: async (key: CheckpointKey) => {
      if (stored.some(({ ordinal }) => ordinal === key.ordinal)) return false
      stored.push(key)
      return true
    },
  }
  const logged: unknown[] = []
  const logger = { info: (...line: unknown[]) => void logged.push(line) }
  const [one, other] = rings.map((ring) => createCheckpointKeys({ store, keyring: ring, logger }))
  return { stored, logged, one: one!, other: other! }
}

test('the first process that seals creates the key; its signatures verify with the stored public half', async () => {
  const { stored, logged, one, other } = keysOf()
  const [signer, same] = await Promise.all([one.signer(t0), other.signer(t0)])
  assert.deepEqual([stored.length, logged.length], [1, 1])
  assert.equal(signer.kid, same.kid)
  const { kid, ...jwk } = JSON.parse(stored[0]!.publicJwk)
  assert.deepEqual([kid, signer.kid, thumbprint(jwk)], Array(3).fill(stored[0]!.kid))
  assert.deepEqual(Object.keys(jwk).sort(), ['alg', 'crv', 'kty', 'use', 'x'])
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  assert.ok(isSignatureOf('AAAA', signDigest('AAAA', same.privateKey), publicKey))
})

test('a new key signs after a year, and the old one stays', async () => {
  const { stored, one, other } = keysOf()
  const first = await one.signer(t0)
  assert.equal((await one.signer(t0 + year - 1)).kid, first.kid)
  assert.equal((await one.signer(t0 - year)).kid, first.kid)
  const second = await one.signer(t0 + year)
  assert.notEqual(second.kid, first.kid)
  assert.equal((await other.signer(t0 + year)).kid, second.kid)
  assert.deepEqual(
    stored.map(({ kid, ordinal, createdAt }) => [kid, ordinal, createdAt]),
    [
      [first.kid, 1, t0],
      [second.kid, 2, t0 + year],
    ],
  )
})

test('a key that the database lost in a failover is added again', async () => {
  const { stored, one, other } = keysOf()
  const lost = await one.signer(t0)
  stored.length = 0
  // A process that starts meanwhile creates another one.
  const second = await other.signer(t0 + 59_000)
  assert.equal((await one.signer(t0 + 59_000)).kid, lost.kid)
  assert.equal((await one.signer(t0 + 60_000)).kid, lost.kid)
  assert.deepEqual(
    stored.map(({ kid, ordinal }) => [kid, ordinal]),
    [
      [second.kid, 1],
      [lost.kid, 2],
    ],
  )
  assert.equal((await other.signer(t0 + 120_000)).kid, lost.kid)
})

test('a process without the master key signs with an older key that it can open, or refuses', async () => {
  const other = createKeyring(generateMasterKeys(t0 + 86_400_000))
  const { stored, one, other: strange } = keysOf([keyring, other])
  const first = await one.signer(t0)
  await assert.rejects(strange.signer(t0), /^Error: Cannot open any checkpoint key: add the master key/)
  await strange.signer(t0 + year)
  assert.equal(stored.length, 2)
  assert.equal((await createAgain(stored).signer(t0 + year)).kid, first.kid)
})

const createAgain = (stored: CheckpointKey[]) =>
  createCheckpointKeys({
    store: { list: async () => stored, add: async () => false },
    keyring,
    logger: { info: () => {} },
  })
