/** `implicit`: TLS from the first byte. `starttls`: required before anything else is sent. */
export type SmtpTls = 'implicit' | 'starttls' | 'off'

export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly tls: SmtpTls
  /** null for a server without authentication. */
  readonly credentials: { readonly user: string; readonly password: string } | null
}
