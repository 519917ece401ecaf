import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** PEM, both. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate for one host name, signed by itself, for as long as a test could want (RFC 5280 4.1, in DER). */
export function selfSignedCertificate(hostName: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = toBeSigned(hostName, publicKey)
  const signature = sign('sha256', body, privateKey)
  const der = sequence(body, ecdsaWithSha256, node(0x03, Buffer.concat([Buffer.of(0), signature])))
  const lines = der
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { key, cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` }
}

function toBeSigned(hostName: string, publicKey: KeyObject): Buffer {
  const commonName = sequence(oid('550403'), node(0x0c, Buffer.from(hostName)))
  const subject = sequence(node(0x31, commonName))
  const validity = sequence(generalizedTime('20200101000000Z'), generalizedTime('21200101000000Z'))
  const alternativeName = sequence(node(0x82, Buffer.from(hostName)))
  const extensions = node(0xa3, sequence(sequence(oid('551d11'), node(0x04, alternativeName))))
  const version3 = node(0xa0, node(0x02, Buffer.of(2)))
  const serial = node(0x02, Buffer.of(1))
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' })
  return sequence(version3, serial, ecdsaWithSha256, subject, validity, subject, keyInfo, extensions)
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
