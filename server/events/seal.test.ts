import assert from 'node:assert/strict'
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import { commitmentOf } from '../core/commitment.ts'
import {
  type BatchContent,
  batchHash,
  batchRoot,
  type HashedEvent,
  isSignatureOf,
  joinRowHashes,
  purgeDigest,
  rowHash,
  signDigest,
  splitRowHashes,
  thumbprint,
} from './seal.ts'

/** The key pair of RFC 8037, appendix A. */
const jwk = { crv: 'Ed25519', kty: 'OKP', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const
const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
const privateKey = createPrivateKey({
  key: { ...jwk, d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A' },
  format: 'jwk',
})

const event: HashedEvent = {
  id: '01JD3ZZZZZ0000000000000001',
  at: 1_763_856_000_000,
  type: 'user.email_changed',
  actorKind: 'user',
  actorId: '01JD3USER00000000000000001',
  subjectKind: 'user',
  subjectId: '01JD3USER00000000000000001',
  outcome: 'done',
  requestId: '01JD3REQUEST00000000000001',
  public: '{"changed":["email"],"session":"01JD3SESSION00000000000001"}',
  commitment: commitmentOf('{"salt":"AAAAAAAAAAAAAAAAAAAAAA"}'),
}
const bySystem: HashedEvent = { ...event, actorKind: 'system', actorId: null, requestId: null, public: '{}' }

const content: BatchContent = {
  previous: '',
  batch: 1,
  firstSequence: 1,
  count: 2,
  sealedAt: 1_763_856_000_100,
  root: batchRoot([rowHash(event), rowHash(bySystem)]),
}
const tenantId = '01JD3TENANT000000000000001'

const digest = (text: string) => createHash('sha256').update(text).digest()

test('the hash of a row is the SHA-256 of its canonical JSON', () => {
  const json = JSON.stringify([
    'v1',
    event.id,
    event.at,
    event.type,
    [event.actorKind, event.actorId],
    [event.subjectKind, event.subjectId],
    event.outcome,
    event.requestId,
    { changed: ['email'], session: '01JD3SESSION00000000000001' },
    event.commitment,
  ])
  assert.equal(rowHash(event), digest(json).toString('hex'))
  assert.equal(rowHash(event), '3940d12e846c7db63bbd7ede1d91e3ac5e29da3a1012ab700ca7f3a4ed08a584')
  assert.equal(rowHash(bySystem), '17758092e2a5423e8ded63be18d71205db34997e02682988a2cd26fb27c3657b')
})

test('the hash of a row covers each member', () => {
  const changes: Partial<HashedEvent>[] = [
    { id: '01JD3ZZZZZ0000000000000002' },
    { at: event.at + 1 },
    { type: 'user.phone_changed' },
    { actorKind: 'operator' },
    { actorId: null },
    { subjectKind: 'otp' },
    { subjectId: null },
    { outcome: 'refused' },
    { requestId: null },
    { public: '{}' },
    { commitment: commitmentOf('{}') },
  ]
  assert.equal(changes.length, Object.keys(event).length)
  const hashes = changes.map((change) => rowHash({ ...event, ...change }))
  assert.equal(new Set([rowHash(event), ...hashes]).size, changes.length + 1)
})

test('the root and the stored row hashes are made of the concatenated bytes', () => {
  const bytes = Buffer.concat([rowHash(event), rowHash(bySystem)].map((hex) => Buffer.from(hex, 'hex')))
  assert.equal(content.root, createHash('sha256').update(bytes).digest('base64url'))
  const stored = joinRowHashes([rowHash(event), rowHash(bySystem)])
  assert.equal(stored, bytes.toString('base64url'))
  assert.deepEqual(splitRowHashes(stored), [rowHash(event), rowHash(bySystem)])
  assert.deepEqual(splitRowHashes(''), [])
  assert.equal(splitRowHashes(stored.slice(0, 60)).at(-1)?.length, 26)
  assert.notEqual(batchRoot([rowHash(bySystem), rowHash(event)]), content.root)
})

test('the hash of a batch covers its tenant and each member', () => {
  const sealed = batchHash(tenantId, content)
  const { root } = content
  assert.equal(
    sealed,
    digest(JSON.stringify(['v1', '', tenantId, 1, 1, 2, content.sealedAt, root])).toString('base64url'),
  )
  assert.equal(sealed, 'YUelJgO_NvwlxzJ0r58zQXqwx4gTyNJKSDGW4faO0tQ')
  const changed = (Object.keys(content) as (keyof BatchContent)[]).map((member) => {
    const value = content[member]
    return batchHash(tenantId, { ...content, [member]: typeof value === 'number' ? value + 1 : `${value}x` })
  })
  assert.equal(new Set([sealed, batchHash('other', content), ...changed]).size, 8)
})

test('a signature is an Ed25519 signature over the bytes of the digest', () => {
  const sealed = batchHash(tenantId, content)
  const signature = signDigest(sealed, privateKey)
  assert.equal(signature, 'tNjEe8bi4fuW6WVBz7X1hCkrZ2e4ddBANhDuLHgFG7jfwBl5TqxSags0v5JN6069tThZtBJSZaVmuNc4QyuYBQ')
  assert.equal(isSignatureOf(sealed, signature, publicKey), true)
  assert.equal(isSignatureOf(batchHash('other', content), signature, publicKey), false)
  // The last letter has four bits that no byte needs.
  const sameBytes = `${signature.slice(0, -1)}${String.fromCharCode(signature.charCodeAt(85) + 1)}`
  assert.deepEqual(Buffer.from(sameBytes, 'base64url'), Buffer.from(signature, 'base64url'))
  for (const wrong of ['', 'AAAA', `B${signature.slice(1)}`, sameBytes])
    assert.equal(isSignatureOf(sealed, wrong, publicKey), false)
  assert.equal(isSignatureOf('', signature, publicKey), false)
})

test('the digest of a purge covers the batch, when it was purged and what is kept', () => {
  const purged = { batch: 1, hash: batchHash(tenantId, content), kept: 1, purgedAt: 1_763_942_400_000, rowHashes: null }
  const kept = { ...purged, rowHashes: joinRowHashes([rowHash(event), rowHash(bySystem)]) }
  assert.equal(purgeDigest(tenantId, purged), 'rnSkBgiFAKx4X5dStRToU6ILA3AtBhbz6kIo9RULkq8')
  assert.equal(purgeDigest(tenantId, kept), 'UZBeTM4A9YTGfwtfzkzP1alQ0Ro6hJk8FcUgJH7HKL4')
  const hashes = digest(kept.rowHashes).toString('base64url')
  const json = ['v1', 'purged', tenantId, 1, purged.hash, 1, purged.purgedAt, hashes]
  assert.equal(purgeDigest(tenantId, kept), digest(JSON.stringify(json)).toString('base64url'))
  const changed = [{ batch: 2 }, { hash: 'AAAA' }, { kept: 0 }, { purgedAt: 0 }, {}]
  const digests = changed.map((change) => purgeDigest(tenantId, { ...purged, ...change }))
  assert.equal(new Set([...digests, purgeDigest('other', purged), purgeDigest(tenantId, kept)]).size, 7)
})

test('the id of a key is its thumbprint', () => {
  // RFC 8037, appendix A.3.
  assert.equal(thumbprint(jwk), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
})
