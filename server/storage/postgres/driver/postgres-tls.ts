import { type ClientCertificate, readAuthority, readClientCertificate } from '../../../core/tls-trust.ts'

/** Whom a connection trusts and what it shows, as Node's `tls.connect` takes it; false in clear. */
export type PostgresTls =
  | false
  | (Partial<ClientCertificate> & {
      readonly rejectUnauthorized: boolean
      readonly ca?: string
      readonly checkServerIdentity?: () => undefined
    })

const files: readonly string[] = ['sslrootcert', 'sslcert', 'sslkey']

/** Those of libpq ("Parameter Key Words" in PostgreSQL's manual) that are known here. */
export const tlsParameters: readonly string[] = ['sslmode', ...files]

/** Each mode, and the files that are not looked at under it. */
const modes: ReadonlyMap<string, readonly string[]> = new Map([
  ['disable', files],
  ['require', ['sslrootcert']],
  ['verify-ca', []],
  ['verify-full', []],
])

/**
 * Reads these parameters and the files they name. Without a mode the server's certificate is verified, unless all hosts
 * are this machine and no file is named.
 * @throws Error in plain words that quotes nothing of the files
 */
export function readPostgresTls(parameters: URLSearchParams, isLocal: boolean): PostgresTls {
  const inClear = isLocal && !files.some((name) => parameters.has(name))
  const mode = parameters.get('sslmode') ?? (inClear ? 'disable' : 'verify-full')
  const unseen = modes.get(mode)
  if (unseen === undefined) throw new Error(`has sslmode=${mode}; known are ${[...modes.keys()].join(', ')}`)
  const idle = unseen.find((name) => parameters.has(name))
  if (idle !== undefined) throw new Error(`has an ${idle} that sslmode=${mode} does not look at: write verify-full`)
  if (mode === 'disable') return false
  const shown = readClientCertificate(parameters, 'sslcert', 'sslkey')
  if (mode === 'require') return { rejectUnauthorized: false, ...shown }
  const authority = parameters.get('sslrootcert')
  const trust = { rejectUnauthorized: true, ...(authority !== null && { ca: readAuthority('sslrootcert', authority) }) }
  if (mode === 'verify-full') return { ...trust, ...shown }
  // Of the public authorities anybody gets a certificate for a name of their own.
  if (authority === null) throw new Error('has sslmode=verify-ca, but no sslrootcert: name one, or write verify-full')
  return { ...trust, ...shown, checkServerIdentity: () => undefined }
}
