const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  ECONNECTION: 'closed the connection',
  EPIPE: 'closed the connection',
  ETIMEDOUT: 'did not answer in time',
  EMSGSIZE: 'sent too much before an answer',
  EMFILE: 'could not be connected to: this process has too many open files; raise their limit',
  ENFILE: 'could not be connected to: this machine has too many open files; raise their limit',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  EADDRNOTAVAIL: 'cannot be reached from here',
  ENOTFOUND: 'has no address: check the spelling',
  ENODATA: 'has no address: check the spelling',
  EAI_AGAIN: 'could not be looked up: the name server did not answer',
  ESERVFAIL: 'could not be looked up: the name server did not answer',
  ETIMEOUT: 'could not be looked up: the name server did not answer',
}

/** Error codes of OpenSSL and Node for an invalid certificate. Codes of OpenSSL may have a slash: `ERR_SSL_SSL/TLS_ALERT_…`. */
const certificate = /CERT|SIGNATURE|HOSTNAME_MISMATCH|CRL/
const tls = /^(ERR_SSL_|ERR_TLS_|EPROTO$|ETLS$)/

/**
 * Describes a connection error as the rest of a sentence that starts with the host. Only uses the error's code, because
 * its message may quote what was sent.
 */
export function connectionProblem(error: unknown): string {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_/]{2,60}$/.test(code))
    return 'failed with an unknown connection error'
  const known = words[code]
  if (known !== undefined) return known
  if (certificate.test(code)) return `has a certificate that is not trusted (${code})`
  if (tls.test(code)) return `could not agree on a TLS version or cipher (${code})`
  if (code.startsWith('HPE_')) return `gave an answer that is not HTTP (${code})`
  return `failed with an unknown connection error (${code})`
}
