import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { parseAddress } from './address.ts'

/** Determines the client's address of a request. */
export interface ClientAddress {
  /**
   * The client's address in canonical form: the socket's `peer`, unless that is a trusted proxy; then the right-most hop
   * of `X-Forwarded-For` that is not a trusted proxy. Hops left of it can be forged by the client and are never read
   * (threat F18). A malformed hop ends the search at the last valid address; when all are trusted it is the left-most. A hop
   * may have the port of its connection.
   *
   * @param peer the socket's remote address; anything else (a Unix socket's '') is returned unchanged and never trusted
   * @param forwardedFor all `X-Forwarded-For` headers joined with commas
   */
  of(peer: string, forwardedFor: string | undefined): string
  /** Whether an address in canonical form is a trusted proxy's. */
  trusts(address: string): boolean
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

function refuse(entry: string, problem: string): never {
  throw new Error(
    `TENANTRY_TRUSTED_PROXIES: "${entry}" ${problem}; use addresses and ranges like 10.0.0.0/8, 192.0.2.7, fd00::/8`,
  )
}

/** Adds one `address` or `address/prefix` to the trusted proxies. @throws Error when it is invalid */
function trust(proxies: BlockList, entry: string): void {
  const [written = '', prefixText, ...more] = entry.split('/')
  const address = parseAddress(written)
  if (address === null || more.length > 0) refuse(entry, 'is not an IP address or range')
  if (prefixText === undefined) {
    proxies.addAddress(address, familyOf(address))
    return
  }
  const bits = isIPv4(written) ? 32 : 128
  if (!/^[0-9]{1,3}$/.test(prefixText) || Number(prefixText) > bits) refuse(entry, `needs a prefix from 1 to ${bits}`)
  // A mapped range, ::ffff:10.0.0.0/104, is an IPv4 range.
  const prefix = isIPv6(written) && isIPv4(address) ? Number(prefixText) - 96 : Number(prefixText)
  if (prefix < 1) refuse(entry, 'would trust every address, so that any client could forge its own')
  proxies.addSubnet(address, prefix, familyOf(address))
}

/** `192.0.2.7:1234`, `[2001:db8::7]:1234` or `[2001:db8::7]` (RFC 7239 6): Azure Application Gateway always adds the port. */
const withPort = /^(?:([\d.]+):\d{1,5}|\[([\da-f]*:[\da-f:.]*)\](?::\d{1,5})?)$/i

function parseHop(hop: string): string | null {
  const [, ipv4, ipv6] = withPort.exec(hop) ?? []
  return parseAddress(ipv4 ?? ipv6 ?? hop)
}

/**
 * Reads `TENANTRY_TRUSTED_PROXIES`: addresses and CIDR ranges separated by commas; empty trusts none.
 * @throws Error that names an invalid entry
 */
export function createClientAddress(trustedProxies: string): ClientAddress {
  const entries = trustedProxies.split(',').map((entry) => entry.trim())
  const proxies = new BlockList()
  for (const entry of entries) if (entry !== '') trust(proxies, entry)
  if (proxies.rules.length === 0) return { of: (peer) => parseAddress(peer) ?? peer, trusts: () => false }

  return {
    trusts: (address) => proxies.check(address, familyOf(address)),
    of(peer, forwardedFor) {
      let client = parseAddress(peer)
      if (client === null) return peer
      let end = forwardedFor?.length ?? 0
      while (end > 0 && proxies.check(client, familyOf(client))) {
        const comma: number = forwardedFor!.lastIndexOf(',', end - 1)
        const hop = parseHop(forwardedFor!.slice(comma + 1, end).trim())
        if (hop === null) break
        client = hop
        end = comma
      }
      return client
    },
  }
}
