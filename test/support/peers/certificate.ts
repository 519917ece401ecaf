import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** PEM, both. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate authority. */
export interface Authority {
  /** PEM. */
  readonly cert: string
  /** Issues a certificate for these names and IPv4 addresses. */
  issue(...hosts: readonly string[]): Certificate
}

/** The issuer of a certificate. */
interface Signer {
  readonly name: string
  readonly key: KeyObject
}

/** A self-signed certificate for one host name, valid for the duration of any test (RFC 5280 4.1, in DER). */
export function selfSignedCertificate(hostName: string): Certificate {
  const keys = newKeys()
  return certify(hostName, keys, alternativeNames([hostName]), { name: hostName, key: keys.privateKey })
}

/** A new authority; two of the same name are different. */
export function createAuthority(name: string): Authority {
  const keys = newKeys()
  const signer = { name, key: keys.privateKey }
  return {
    cert: certify(name, keys, basicConstraints, signer).cert,
    issue: (...hosts) => certify(hosts[0]!, newKeys(), alternativeNames(hosts), signer),
  }
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

function certify(name: string, keys: ReturnType<typeof newKeys>, extension: Buffer, signer: Signer): Certificate {
  const { publicKey, privateKey } = keys
  const body = toBeSigned(name, publicKey, extension, signer.name)
  const signature = sign('sha256', body, signer.key)
  const der = sequence(body, ecdsaWithSha256, node(0x03, Buffer.concat([Buffer.of(0), signature])))
  const lines = der
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { key, cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` }
}

function toBeSigned(name: string, publicKey: KeyObject, extension: Buffer, issuer: string): Buffer {
  const validity = sequence(generalizedTime('20200101000000Z'), generalizedTime('21200101000000Z'))
  const extensions = node(0xa3, sequence(extension))
  const version3 = node(0xa0, node(0x02, Buffer.of(2)))
  const serial = node(0x02, Buffer.of(1))
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' })
  const [from, to] = [distinguishedName(issuer), distinguishedName(name)]
  return sequence(version3, serial, ecdsaWithSha256, from, validity, to, keyInfo, extensions)
}

const distinguishedName = (name: string) => {
  const commonName = sequence(oid('550403'), node(0x0c, Buffer.from(name)))
  return sequence(node(0x31, commonName))
}

/** subjectAltName (RFC 5280 4.2.1.6). */
const alternativeNames = (hosts: readonly string[]) => {
  const names = hosts.map((host) =>
    isIPv4(host) ? node(0x87, Buffer.from(host.split('.').map(Number))) : node(0x82, Buffer.from(host)),
  )
  return sequence(oid('551d11'), node(0x04, sequence(...names)))
}

/** Tag, length, content (X.690 8.1). */
function node(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const sequence = (...parts: Buffer[]) => node(0x30, Buffer.concat(parts))
const oid = (hex: string) => node(0x06, Buffer.from(hex, 'hex'))
const generalizedTime = (text: string) => node(0x18, Buffer.from(text))
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const isTrue = node(0x01, Buffer.of(0xff))
/** A critical extension that allows issuing certificates (RFC 5280 4.2.1.9). */
const basicConstraints = sequence(oid('551d13'), isTrue, node(0x04, sequence(isTrue)))
