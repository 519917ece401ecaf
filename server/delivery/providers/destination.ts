import type { LookupAddress } from 'node:dns'
import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { TemporaryFailure } from '../provider.ts'
import { connectionProblem } from './connection-problem.ts'
import { isPublicAddress } from './public-address.ts'

/** Resolves to all addresses of a host name; rejects when it has none. */
export type NameLookup = (host: string) => Promise<readonly LookupAddress[]>

/** Which addresses connections may use. */
export interface DestinationRules {
  /** Whether private, loopback and link-local addresses are allowed; never for hosts that a tenant configures. */
  readonly allowPrivate: boolean
  /** Resolves host names; by DNS by default. */
  readonly lookup?: NameLookup | undefined
}

const resolver = new Resolver({ timeout: 1_500, tries: 2 })

/**
 * Queries the name servers directly. `dns.lookup` runs in the thread pool that also hashes passwords, so an unresponsive
 * name server of one tenant could delay every sign-in (threat G10).
 */
const publicLookup: NameLookup = async (host) => {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason
  const addresses = (found: typeof ipv4, family: 4 | 6) =>
    found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
  return [...addresses(ipv4, 4), ...addresses(ipv6, 6)]
}

/** Supports the operator's /etc/hosts and search domains. */
const operatorLookup: NameLookup = (host) => systemLookup(host, { all: true })

/**
 * Resolves a host and checks every address. Connections must use these addresses without resolving the name again, which
 * could return a different address (DNS rebinding, threat F20).
 * @param host a name or an IP address, without brackets
 * @throws TemporaryFailure when there is no address, or one that is not allowed; `signal.reason` when aborted
 */
export async function findAddresses(
  host: string,
  { allowPrivate, lookup = allowPrivate ? operatorLookup : publicLookup }: DestinationRules,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const family = isIP(host)
  const addresses = family === 0 ? await lookedUp(host, lookup, signal) : [{ address: host, family }]
  if (addresses.length === 0) throw new TemporaryFailure(`${host} has no address`)
  // A single private address is refused, because any of the addresses may be used.
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new TemporaryFailure(`${host} is not on the public internet: private addresses are not connected to`)
  return addresses
}

/** A `lookup` for `net.connect` and `http.request` that returns the given addresses. */
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
