import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A client certificate, followed by its intermediate certificates, and its key; both PEM. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: string
}

/** A URL parameter for a file. */
type FileParameter = readonly [name: string, path: string]

/** PKCS #8 (RFC 5958), and the format before it (RFC 1421). */
const encrypted = /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/

/**
 * The certificates in a file (PEM), trusted instead of the public authorities.
 * @throws Error whose message continues a sentence that starts with the setting
 */
export function readAuthority(...file: FileParameter): string {
  const pem = read(file)
  certificateIn(file, pem)
  return pem
}

/**
 * The files (PEM) of a client certificate, by their parameters; null without either. An encrypted key is refused,
 * because its passphrase cannot be entered.
 * @throws Error as `readAuthority`; its message quotes nothing from the files
 */
export function readClientCertificate(
  parameters: URLSearchParams,
  certName: string,
  keyName: string,
): ClientCertificate | null {
  const [certPath, keyPath] = [parameters.get(certName), parameters.get(keyName)]
  if (certPath === null && keyPath === null) return null
  if (keyPath === null) throw new Error(`has ${certName}, but no ${keyName}; set ${keyName} to the file of its key`)
  if (certPath === null)
    throw new Error(`has ${keyName}, but no ${certName}; set ${certName} to the file of its certificate`)
  const certFile: FileParameter = [certName, certPath]
  const keyFile: FileParameter = [keyName, keyPath]
  const [cert, key] = [read(certFile), read(keyFile)]
  if (!certificateIn(certFile, cert).checkPrivateKey(keyIn(keyFile, key)))
    throw unfit(keyFile, `is not the key of ${certFile.join('=')}`)
  return { cert, key }
}

function read(file: FileParameter): string {
  try {
    return readFileSync(file[1], 'utf8')
  } catch (error) {
    throw unfit(file, `cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function certificateIn(file: FileParameter, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw unfit(file, 'does not contain a PEM certificate')
  }
}

function keyIn(file: FileParameter, pem: string): KeyObject {
  if (encrypted.test(pem))
    throw unfit(file, `is encrypted; use an unencrypted key (openssl pkey -in ${file[1]} -out <file>)`)
  try {
    return createPrivateKey(pem)
  } catch {
    throw unfit(file, 'does not contain a PEM private key')
  }
}

const unfit = (file: FileParameter, why: string): Error => new Error(`has ${file.join('=')}, which ${why}`)
