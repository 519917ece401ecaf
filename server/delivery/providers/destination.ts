import type { LookupAddress } from 'node:dns'
import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { TemporaryFailure } from '../provider.ts'
import { connectionProblem } from './connection-problem.ts'
import { isPublicAddress } from './public-address.ts'

/** All addresses of a name; rejects when it has none. */
export type NameLookup = (host: string) => Promise<readonly LookupAddress[]>

/** Where connections may go. */
export interface DestinationRules {
  /** Whether private, loopback and link-local addresses are allowed: the operator's own, never a tenant's. */
  readonly allowPrivate: boolean
  /** How names are resolved; the machine's way unless told. */
  readonly lookup?: NameLookup | undefined
}

const resolver = new Resolver({ timeout: 1_500, tries: 2 })

/**
 * Asks the name servers directly: `dns.lookup` would wait in the thread pool that hashes passwords, where one tenant's
 * dead name server could hold up everybody's sign-in (threat G10).
 */
const publicLookup: NameLookup = async (host) => {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason
  const addresses = (found: typeof ipv4, family: 4 | 6) =>
    found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
  return [...addresses(ipv4, 4), ...addresses(ipv6, 6)]
}

/** Knows the operator's own names: /etc/hosts, search domains. */
const operatorLookup: NameLookup = (host) => systemLookup(host, { all: true })

/**
 * The addresses of a host, all of them checked; what connects must use these and look nothing up again, or a second
 * answer could be another one (DNS rebinding, threat F20).
 * @param host a name or an IP address, without brackets
 * @throws TemporaryFailure when it has none, or one of them is not allowed; `signal.reason` when that fires first
 */
export async function findAddresses(
  host: string,
  { allowPrivate, lookup = allowPrivate ? operatorLookup : publicLookup }: DestinationRules,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const family = isIP(host)
  const addresses = family === 0 ? await lookedUp(host, lookup, signal) : [{ address: host, family }]
  if (addresses.length === 0) throw new TemporaryFailure(`${host} has no address`)
  // One private address among public ones is enough: which of them would be tried is not ours to say.
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new TemporaryFailure(`${host} is not on the public internet: private addresses are not connected to`)
  return addresses
}

/** For `net.connect` and `http.request`: answers with addresses found before, whatever is asked. */
export const pinnedTo =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, done) => {
    const [{ address, family }] = addresses as [LookupAddress]
    if (all) process.nextTick(done, null, [...addresses])
    else process.nextTick(done, null, address, family)
  }

async function lookedUp(host: string, lookup: NameLookup, signal: AbortSignal): Promise<readonly LookupAddress[]> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([lookup(host), aborted])
  } catch (error) {
    throw signal.aborted ? signal.reason : new TemporaryFailure(`${host} ${connectionProblem(error)}`)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
