import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Non-public IPv4 networks: the IANA special-purpose registry (RFC 6890), multicast, reserved. */
const closedIPv4 = [
  '0.0.0.0/8', // unspecified, "this network"
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT; the metadata service of Alibaba Cloud
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's platform, at a public address
  '169.254.0.0/16', // link-local; the metadata service of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments; the metadata service of Oracle Cloud
  '192.0.2.0/24', // documentation, as 198.51.100.0 and 203.0.113.0
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

/** Non-public networks inside 2000::/3. Loopback, fc00::/7, fe80::/10, IPv4-mapped, NAT64 and multicast are outside. */
const closedIPv6 = [
  '2001::/23', // protocol assignments; Teredo, which embeds IPv4
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds IPv4
  '3fff::/20', // documentation
]

const closed = new BlockList()
for (const network of closedIPv4) addNetwork(closed, network, 'ipv4')
for (const network of closedIPv6) addNetwork(closed, network, 'ipv6')
const globalUnicast = new BlockList()
addNetwork(globalUnicast, '2000::/3', 'ipv6')

/**
 * Whether an IP address is on the public internet: only those may be used for hosts that tenants configure (threat F20).
 * False for every IPv6 address that embeds an IPv4 address, and for text that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return globalUnicast.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

function addNetwork(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', prefix] = network.split('/')
  list.addSubnet(address, Number(prefix), family)
}
