import { createSmtpSender, type SmtpSenderOptions } from '../../../server/delivery/senders/smtp-sender.ts'
import { type SmtpPeerOptions, startSmtpPeer } from './smtp-peer.ts'

/** Where these messages come from. */
export const from = { address: 'accounts@example.com', name: 'Example Accounts' }

/** A peer, a sender to it, and both closed when the test's block ends. */
export async function talking(behaviour: SmtpPeerOptions = {}, changes: Partial<SmtpSenderOptions> = {}) {
  const peer = await startSmtpPeer(behaviour)
  const to = { host: '127.0.0.1', port: peer.port, tls: 'off', credentials: null } as const
  const sender = createSmtpSender({ name: 'smtp', ...to, from, allowPrivate: true, ...changes })
  const close = async () => {
    await sender.close()
    await peer.close()
  }
  return { peer, sender, [Symbol.asyncDispose]: close }
}
