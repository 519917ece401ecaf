import { createSmtpProvider, type SmtpProviderOptions } from '../../../server/delivery/providers/kinds/smtp.ts'
import { type SmtpPeerOptions, startSmtpPeer } from './smtp-peer.ts'

/** The From address of the messages. */
export const from = { address: 'accounts@example.com', name: 'Example Accounts' }

/** A peer and a provider that uses it, both closed at the end of the block. */
export async function talking(behaviour: SmtpPeerOptions = {}, changes: Partial<SmtpProviderOptions> = {}) {
  const peer = await startSmtpPeer(behaviour)
  const to = { host: '127.0.0.1', port: peer.port, tls: 'off', credentials: null } as const
  const provider = createSmtpProvider({ name: 'smtp', ...to, from, allowPrivate: true, ...changes })
  const close = async () => {
    await provider.close()
    await peer.close()
  }
  return { peer, provider, [Symbol.asyncDispose]: close }
}
