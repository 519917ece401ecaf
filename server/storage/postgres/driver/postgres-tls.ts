import { type ClientCertificate, readAuthority, readClientCertificate } from '../../../core/tls-files.ts'

/** Which servers a connection trusts and which certificate it presents, for Node's `tls.connect`; false without TLS. */
export type PostgresTls =
  | false
  | (Partial<ClientCertificate> & {
      readonly rejectUnauthorized: boolean
      readonly ca?: string
      readonly checkServerIdentity?: () => undefined
    })

const files: readonly string[] = ['sslrootcert', 'sslcert', 'sslkey']

/** The parameters of libpq that are supported (PostgreSQL manual, "Parameter Key Words"). */
export const tlsParameters: readonly string[] = ['sslmode', ...files]

/** Each mode, and the file parameters that have no effect in it. */
const modes: ReadonlyMap<string, readonly string[]> = new Map([
  ['disable', files],
  ['require', ['sslrootcert']],
  ['verify-ca', []],
  ['verify-full', []],
])

/**
 * Reads these parameters and the files they name. Without a mode the server's certificate is verified, unless every host
 * is this machine and no file is named.
 * @throws Error that quotes nothing of the files
 */
export function readPostgresTls(parameters: URLSearchParams, isLocal: boolean): PostgresTls {
  const isUnencrypted = isLocal && !files.some((name) => parameters.has(name))
  const mode = parameters.get('sslmode') ?? (isUnencrypted ? 'disable' : 'verify-full')
  const unused = modes.get(mode)
  if (unused === undefined) throw new Error(`has unknown sslmode=${mode}; use one of ${[...modes.keys()].join(', ')}`)
  const ineffective = unused.find((name) => parameters.has(name))
  if (ineffective !== undefined) {
    throw new Error(`has ${ineffective}, which has no effect with sslmode=${mode}; use sslmode=verify-full`)
  }
  if (mode === 'disable') return false
  const presented = readClientCertificate(parameters, 'sslcert', 'sslkey')
  if (mode === 'require') return { rejectUnauthorized: false, ...presented }
  const authority = parameters.get('sslrootcert')
  const trust = { rejectUnauthorized: true, ...(authority !== null && { ca: readAuthority('sslrootcert', authority) }) }
  if (mode === 'verify-full') return { ...trust, ...presented }
  // Anyone can get a certificate from a public authority, so without host name checks it proves nothing.
  if (authority === null) {
    throw new Error('has sslmode=verify-ca without sslrootcert; add sslrootcert, or use sslmode=verify-full')
  }
  return { ...trust, ...presented, checkServerIdentity: () => undefined }
}
