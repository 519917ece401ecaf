import { isIPv4, isIPv6, SocketAddress } from 'node:net'

const MAPPED = '::ffff:'

/** An IPv6 address without a zone in the form of RFC 5952; an IPv4-mapped one as the IPv4 address. */
function canonicalIPv6(text: string): string {
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address
}

/**
 * An IP address in canonical form: dotted decimal, or RFC 5952 for IPv6; IPv4-mapped IPv6 becomes IPv4. Null for anything
 * else: zone ids, ports, brackets, spaces, leading zeros, hexadecimal or short IPv4 (threat F18).
 */
export function parseAddress(text: string): string | null {
  if (isIPv4(text)) return text
  // The fast path for IPv4 peers of a dual-stack socket.
  if (text.startsWith(MAPPED) && isIPv4(text.slice(MAPPED.length))) return text.slice(MAPPED.length)
  return isIPv6(text) && !text.includes('%') ? canonicalIPv6(text) : null
}

/** The first `groups` (at most four) sixteen-bit groups of a canonical IPv6 address as a network, `2001:db8::/64`. */
function ipv6Network(address: string, groups: number): string {
  const [head = '', tail] = address.split('::')
  const all = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':')
    all.push(...new Array<string>(8 - all.length - last.length).fill('0'), ...last)
  }
  // The host part is the longest run of zeros, so trailing zeros of the network belong to the `::`.
  let kept = groups
  while (all[kept - 1] === '0') kept--
  return `${all.slice(0, kept).join(':')}::/${groups * 16}`
}

/** `64:ff9b::/96` without its last 32 bits. */
const NAT64 = /^64:ff9b::(?:([\da-f]{1,4}):)?([\da-f]{1,4})$/

/**
 * `parseAddress`, but an address that a translator made from an IPv4 address (RFC 6052) is that IPv4 address: to a server
 * without IPv4, all IPv4 clients are in one /96. Only for counting: what may trust an address must not.
 */
function countedAddress(text: string): string | null {
  const address = parseAddress(text)
  const [, high = '0', low] = (address !== null && NAT64.exec(address)) || []
  if (low === undefined) return address
  return [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.')
}

/**
 * What a limit counts an address as: an IPv4 address itself, an IPv6 address as its /64 (`2001:db8::/64`), because one
 * customer has 2^64 addresses. Other texts are returned unchanged.
 */
export function limitSubject(address: string): string {
  if (isIPv4(address)) return address
  const canonical = countedAddress(address)
  if (canonical === null) return address
  return canonical.includes(':') ? ipv6Network(canonical, 4) : canonical
}

/** The network that one attacker is likely to control: `192.0.2.0/24`, `2001:db8::/48`. */
export function networkOf(address: string): string {
  const canonical = countedAddress(address)
  if (canonical === null) return address
  if (canonical.includes(':')) return ipv6Network(canonical, 3)
  return `${canonical.slice(0, canonical.lastIndexOf('.'))}.0/24`
}
