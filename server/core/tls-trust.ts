import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The TLS parameters in the URL of a server. */
export interface TlsWords {
  /** The parameter for the file of a certificate authority. */
  readonly authority: string
  /** How the URL asks for a connection without TLS. */
  readonly clear: string
  /** The parameters for the files of a client certificate and its key, if there are any. */
  readonly clientCertificate?: string
}

/** A client certificate, followed by its intermediate certificates, and its key; both PEM. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: string
}

/** A URL parameter for a file. */
type FileParameter = readonly [name: string, path: string]

/** OpenSSL's codes for a certificate that does not lead to a trusted authority. */
const untrusted =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|CERT_SIGNATURE_FAILURE|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF).*)$/
const misnamed = 'ERR_TLS_CERT_ALTNAME_INVALID'
/** The server does not support TLS: an error of `pg`, or a response that is not TLS. */
const inClear = /does not support SSL|ERR_SSL_WRONG_VERSION_NUMBER/
/** PKCS #8 (RFC 5958), and the format before it (RFC 1421). */
const encrypted = /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/
/** PostgreSQL's message, and OpenSSL's name for the alert (RFC 8446 6.2). */
const unshown = /requires a valid client certificate|SSL alert number 116\b/
const notTaken = /alert ([a-z ]+):.*SSL alert number (?:4[2-6]|48)\b/
const misaddressed = /^certificate authentication failed for user/

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

/** For a TLS failure that a setting can fix, an error that names the setting; else the same error. */
export function adviseOnTls(error: unknown, words: TlsWords): unknown {
  const { message = '', code } = error as { message?: string; code?: string }
  const advice = adviceOn(code ?? message, message, words)
  return advice === null ? error : Object.assign(new Error(advice, { cause: error }), { code })
}

function adviceOn(problem: string, message: string, words: TlsWords): string | null {
  const { authority, clear, clientCertificate } = words
  if (untrusted.test(problem)) {
    return `The server's certificate is not from a trusted authority (${problem}); set ${authority}=<file> in the URL to the certificate of its authority`
  }
  if (problem === misnamed) return `${message.trim()}; use the host name of the certificate in the URL`
  if (inClear.test(problem))
    return `The server does not support TLS; enable TLS there, or use ${clear} in a private network`
  return clientCertificate === undefined ? null : adviceOnShown(message, clientCertificate)
}

function adviceOnShown(message: string, parameters: string): string | null {
  if (unshown.test(message)) return `The server requires a client certificate; set ${parameters} in the URL`
  if (misaddressed.test(message))
    return `${message}; the common name of the client certificate must be the user, or be mapped to it on the server`
  const [, alert] = notTaken.exec(message) ?? []
  if (alert === undefined) return null
  return `The server rejected the client certificate (${alert}); set ${parameters} to a valid certificate that it trusts`
}
