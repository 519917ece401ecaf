import { BlockList, isIPv4 } from 'node:net'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { limitSubject, networkOf, parseAddress } from '../limits/address.ts'
import type { ClientAddress } from '../limits/client-address.ts'
import type { CallerRecord } from '../storage/storage.ts'

/** The address of a caller and what limits count it as. */
export interface CallerAddress {
  /** The client's address in canonical form. */
  readonly address: string
  /** What the limit of an operation counts. */
  readonly subject: string
  /** What it also counts, at a larger quota: the /48 of an IPv6 address; null for IPv4. */
  readonly network: string | null
}

/** Reads the address of a caller; `record` is null unless the tenant key is active. */
export type ReadCallerAddress = (request: FastifyRequest, record: CallerRecord | null) => CallerAddress

const hour = 3_600_000

const localNetworks = new BlockList()
localNetworks.addSubnet('127.0.0.0', 8, 'ipv4')
localNetworks.addSubnet('10.0.0.0', 8, 'ipv4')
// Pods of some clouds (RFC 6598).
localNetworks.addSubnet('100.64.0.0', 10, 'ipv4')
localNetworks.addSubnet('169.254.0.0', 16, 'ipv4')
localNetworks.addSubnet('172.16.0.0', 12, 'ipv4')
localNetworks.addSubnet('192.168.0.0', 16, 'ipv4')
localNetworks.addAddress('::1', 'ipv6')
localNetworks.addSubnet('fc00::', 7, 'ipv6')
localNetworks.addSubnet('fe80::', 10, 'ipv6')

const isLocal = (address: string): boolean =>
  parseAddress(address) !== null && localNetworks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')

/** Logs once an hour at most: each request of a caller that is set up wrongly would repeat the warning. */
function hourlyWarning(logger: FastifyBaseLogger, message: string): (details: object) => void {
  let warnedAt = Number.NEGATIVE_INFINITY
  return (details) => {
    const now = performance.now()
    if (now - warnedAt < hour) return
    warnedAt = now
    logger.warn(details, message)
  }
}

/** @param tenant prefix of the subjects, which are then counted for this tenant only */
function countedCaller(address: string, tenant = ''): CallerAddress {
  const subject = limitSubject(address)
  return { address, subject: tenant + subject, network: subject.includes(':') ? tenant + networkOf(address) : null }
}

/**
 * The address is the socket's, or the one a trusted proxy forwards, or the one in `X-Client-IP` with a secret key.
 * @param countUnnamedProxy called for each request with forwarding headers from a local peer that is not a trusted proxy
 */
export function createCallerAddress(
  clientAddress: ClientAddress,
  logger: FastifyBaseLogger,
  countUnnamedProxy: () => void = () => {},
): ReadCallerAddress {
  const warnOfProxy = hourlyWarning(
    logger,
    'forwarding headers from an untrusted local peer; if it is your proxy, add it to TENANTRY_TRUSTED_PROXIES, otherwise all users behind it share one limit',
  )
  const warnOfClient = hourlyWarning(
    logger,
    'X-Client-IP ignored; send one address without a port, otherwise all users of the back end share one limit',
  )

  return (request, record) => {
    const { headers, socket } = request.raw
    const forwarded = headers['x-forwarded-for']
    // A link-local address has a zone: fe80::1%eth0.
    const peer = parseAddress((socket.remoteAddress ?? '').replace(/%.*/, '')) ?? ''
    const address = clientAddress.of(peer, Array.isArray(forwarded) ? forwarded.join(',') : forwarded)
    const isForwarded = forwarded !== undefined || headers.forwarded !== undefined || headers['x-real-ip'] !== undefined
    if (isForwarded && isLocal(peer) && !clientAddress.trusts(peer)) {
      countUnnamedProxy()
      warnOfProxy({ peer })
    }
    const named = headers['x-client-ip']
    if (record?.key.kind === 'secret' && typeof named === 'string') {
      const client = parseAddress(named)
      // Counted per tenant: no tenant can use up the limit of another tenant's client.
      if (client !== null) return countedCaller(client, `${record.tenant.id} `)
      warnOfClient({ tenantId: record.tenant.id })
    }
    return countedCaller(address)
  }
}
