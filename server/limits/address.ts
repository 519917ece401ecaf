import { isIPv4, isIPv6, SocketAddress } from 'node:net'

const MAPPED = '::ffff:'

/** An IPv6 text without a zone as RFC 5952 writes it; an IPv4-mapped one as the IPv4 address it stands for. */
function canonicalIPv6(text: string): string {
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address
}

/**
 * An IP address in its one canonical form: dotted decimal, or RFC 5952 for IPv6; IPv4-mapped IPv6 becomes IPv4. Null for
 * everything else: zone ids, ports, brackets, spaces, leading zeros, hexadecimal or short IPv4 (threat F18).
 */
export function parseAddress(text: string): string | null {
  if (isIPv4(text)) return text
  // A dual-stack socket names every IPv4 peer so; worth the short way.
  if (text.startsWith(MAPPED) && isIPv4(text.slice(MAPPED.length))) return text.slice(MAPPED.length)
  return isIPv6(text) && !text.includes('%') ? canonicalIPv6(text) : null
}

/** The first `groups` (at most four) sixteen-bit groups of a canonical IPv6 address as a network, `2001:db8::/64`. */
function ipv6Network(address: string, groups: number): string {
  const [head = '', tail] = address.split('::')
  const all = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':')
    // An embedded IPv4 address is one part but two groups.
    const missing = 8 - all.length - last.length - (tail.includes('.') ? 1 : 0)
    all.push(...new Array<string>(missing).fill('0'), ...last)
  }
  // What follows the network is its longest run of zeros, so its own zeros at the end belong to the `::`.
  let kept = groups
  while (kept > 0 && all[kept - 1] === '0') kept--
  return `${all.slice(0, kept).join(':')}::/${groups * 16}`
}

/**
 * Whom a limit counts an address for: an IPv4 address itself, an IPv6 address its /64, because one customer has 2^64 of
 * them (design 10). `2001:db8::/64`. What is no address is its own subject.
 */
export function limitSubject(address: string): string {
  if (isIPv4(address)) return address
  const canonical = parseAddress(address)
  if (canonical === null) return address
  return canonical.includes(':') ? ipv6Network(canonical, 4) : canonical
}

/** The network one attacker is likely to hold: IPv4 /24, IPv6 /48 (design 4). `192.0.2.0/24`, `2001:db8::/48`. */
export function networkOf(address: string): string {
  const canonical = parseAddress(address)
  if (canonical === null) return address
  if (canonical.includes(':')) return ipv6Network(canonical, 3)
  return `${canonical.slice(0, canonical.lastIndexOf('.'))}.0/24`
}
