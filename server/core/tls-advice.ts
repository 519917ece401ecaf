/** The TLS parameters in the URL of a server. */
export interface TlsWords {
  /** The parameter for the file of a certificate authority. */
  readonly authority: string
  /** How the URL asks for a connection without TLS. */
  readonly clear: string
  /** The parameters for the files of a client certificate and its key, if there are any. */
  readonly clientCertificate?: string
}

/** Whether this is OpenSSL's code for a certificate that does not lead to a trusted authority. */
export const isUntrusted = (code: string): boolean =>
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|CERT_SIGNATURE_FAILURE|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF).*)$/.test(
    code,
  )
const misnamed = 'ERR_TLS_CERT_ALTNAME_INVALID'
/** The server does not support TLS: an error of `pg`, or a response that is not TLS. */
const inClear = /does not support SSL|ERR_SSL_WRONG_VERSION_NUMBER/
/** PostgreSQL's message, and OpenSSL's name for the alert (RFC 8446 6.2). */
const unshown = /requires a valid client certificate|SSL alert number 116\b/
const notTaken = /alert ([a-z ]+):.*SSL alert number (?:4[2-6]|48)\b/
const misaddressed = /^certificate authentication failed for user/

/** For a TLS failure that a setting can fix, an error that names the setting; else the same error. */
export function adviseOnTls(error: unknown, words: TlsWords): unknown {
  const { message = '', code } = error as { message?: string; code?: string }
  const advice = adviceOn(code ?? message, message, words)
  return advice === null ? error : Object.assign(new Error(advice, { cause: error }), { code })
}

function adviceOn(problem: string, message: string, words: TlsWords): string | null {
  const { authority, clear, clientCertificate } = words
  if (isUntrusted(problem)) {
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
