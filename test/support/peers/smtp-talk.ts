import type { SmtpProviderOptions } from '../../../server/delivery/providers/kinds/smtp.ts'
import { deploymentSmtp } from '../delivery/sending-service.ts'
import { type SmtpPeerOptions, startSmtpPeer } from './smtp-peer.ts'

/** A peer and a provider that uses it, both closed at the end of the block. */
export async function talking(behaviour: SmtpPeerOptions = {}, changes: Partial<SmtpProviderOptions> = {}) {
  const peer = await startSmtpPeer(behaviour)
  const provider = deploymentSmtp(peer, changes)
  const close = async () => {
    await provider.close()
    await peer.close()
  }
  return { peer, provider, [Symbol.asyncDispose]: close }
}
