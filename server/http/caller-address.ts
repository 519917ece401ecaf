import { BlockList, isIPv4 } from 'node:net'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { type ClientAddress, limitSubject, networkOf, parseAddress } from '../limits/client-address.ts'
import type { CallerRecord } from '../storage/storage.ts'

/** Where a call comes from. */
export interface CallerAddress {
  /** The client's address in canonical form. */
  readonly address: string
  /** Whom the limit of an operation counts. */
  readonly subject: string
  /** Whom it counts besides, at a larger quota: the /48 of an IPv6 address; null for IPv4. */
  readonly network: string | null
}

/** Reads the address of a caller; `record` is null unless the tenant key is active. */
export type ReadCallerAddress = (request: FastifyRequest, record: CallerRecord | null) => CallerAddress

const hour = 3_600_000

const localNetworks = new BlockList()
localNetworks.addSubnet('127.0.0.0', 8, 'ipv4')
localNetworks.addSubnet('10.0.0.0', 8, 'ipv4')
localNetworks.addSubnet('172.16.0.0', 12, 'ipv4')
localNetworks.addSubnet('192.168.0.0', 16, 'ipv4')
localNetworks.addAddress('::1', 'ipv6')
localNetworks.addSubnet('fc00::', 7, 'ipv6')

const isLocal = (address: string): boolean =>
  parseAddress(address) !== null && localNetworks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')

/** @param tenant put before the subjects, so that they are the tenant's alone */
const countedCaller = (address: string, tenant = ''): CallerAddress => ({
  address,
  subject: tenant + limitSubject(address),
  network: address.includes(':') ? tenant + networkOf(address) : null,
})

/**
 * The socket's address, what trusted proxies say, or what a tenant's server names with its secret key (design 10).
 * @param countUnnamedProxy told of every request that comes as if through a proxy nobody told us of
 */
export function createCallerAddress(
  clientAddress: ClientAddress,
  logger: FastifyBaseLogger,
  countUnnamedProxy: () => void = () => {},
): ReadCallerAddress {
  let warnedAt = Number.NEGATIVE_INFINITY

  /** A proxy nobody told us of puts all its users under one limit: said at most once an hour. */
  function warnOfProxy(address: string): void {
    countUnnamedProxy()
    const now = performance.now()
    if (now - warnedAt < hour) return
    warnedAt = now
    logger.warn(
      { peer: address },
      'forwarding headers from an untrusted local peer: if it is your proxy, name it in TENANTRY_TRUSTED_PROXIES, else all users behind it share one limit',
    )
  }

  return (request, record) => {
    const { headers, socket } = request.raw
    const forwarded = headers['x-forwarded-for']
    const peer = parseAddress(socket.remoteAddress ?? '') ?? ''
    const address = clientAddress.of(peer, Array.isArray(forwarded) ? forwarded.join(',') : forwarded)
    const isForwarded = forwarded !== undefined || headers.forwarded !== undefined || headers['x-real-ip'] !== undefined
    // Behind a named proxy the client's address may be the proxy's own: another program on the same machine.
    if (isForwarded && address === peer && isLocal(peer) && !clientAddress.trusts(peer)) warnOfProxy(peer)
    const named = headers['x-client-ip']
    if (record?.key.kind === 'secret' && typeof named === 'string') {
      const client = parseAddress(named)
      // Counted under the tenant too, so that no tenant can spend another's (design 10).
      if (client !== null) return countedCaller(client, `${record.tenant.id} `)
    }
    return countedCaller(address)
  }
}
