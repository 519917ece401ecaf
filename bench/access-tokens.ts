import { createAccessTokens } from '../server/accounts/access-token.ts'
import { loadSigningKeys } from '../server/accounts/load-signing-keys.ts'
import { ulid } from '../server/core/ids.ts'
import type { Bench } from './scenario.ts'
import { median } from './table.ts'

const count = 500

/** The time to verify an access token in an otherwise idle process, in microseconds (medians). */
export interface VerificationCost {
  /** A new token: its signature is verified. */
  readonly first: number
  /** A token in the cache. */
  readonly again: number
}

/** Measures with the signing keys of the service, one token at a time. */
export async function verificationCost({ storage, keyring, tenant, userIds }: Bench): Promise<VerificationCost> {
  const now = Date.now()
  const logger = { info: () => {}, warn: () => {} }
  const options = { store: storage.system.signingKeys, keyring, logger, periodMs: Number.POSITIVE_INFINITY }
  const accessTokens = createAccessTokens(await loadSigningKeys(options, now), 'http://bench.example')
  const subject = { tenantId: tenant.tenantId, userId: userIds[0]!, amr: ['pwd'], authenticatedAt: now, guest: false }
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
