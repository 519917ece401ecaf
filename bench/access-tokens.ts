import { createAccessTokens } from '../server/accounts/sessions/access-token.ts'
import { loadSigningKeys } from '../server/accounts/sessions/load-signing-keys.ts'
import type { SigningKey, SigningKeyStore } from '../server/accounts/sessions/signing-key-store.ts'
import { ulid } from '../server/core/ids.ts'
import { createKeyring } from '../server/secrets/keyring.ts'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
import { median } from './table.ts'

const count = 500

/** The time to verify an access token in an otherwise idle process, in microseconds (medians). */
interface VerificationCost {
  /** A new token: its signature is verified. */
  readonly first: number
  /** A token in the cache. */
  readonly again: number
}

/** Measures one token at a time, with a new signing key. */
export async function verificationCost(): Promise<VerificationCost> {
  const now = Date.now()
  const keyring = createKeyring(generateMasterKeys(now))
  const logger = { info: () => {}, warn: () => {} }
  const options = { store: storeInMemory(), keyring, logger, periodMs: Number.POSITIVE_INFINITY }
  const accessTokens = createAccessTokens(await loadSigningKeys(options, now), 'http://bench.example')
  const subject = { tenantId: ulid(now), userId: ulid(now), amr: ['pwd'], authenticatedAt: now, guest: false }
  const sign = () => accessTokens.sign({ ...subject, sessionId: ulid(now) }, now)
  const tokens = await Promise.all(Array.from({ length: count }, sign))

  const medianOfAll = async () => {
    const times: number[] = []
    for (const token of tokens) {
      const start = performance.now()
      if ((await accessTokens.verify(token, now)) === null) throw new Error('A token just signed does not verify')
      times.push((performance.now() - start) * 1000)
    }
    return median(times)
  }
  return { first: await medianOfAll(), again: await medianOfAll() }
}

function storeInMemory(): SigningKeyStore {
  const keys: SigningKey[] = []
  return {
    list: async () => [...keys],
    add: async (key) => keys.push(key) > 0,
    replaceAll: async () => {},
    erase: async () => {},
  }
}
