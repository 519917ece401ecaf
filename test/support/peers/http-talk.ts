import type { Provider } from '../../../server/delivery/provider.ts'
import { createOutboundHttp, type OutboundHttp } from '../../../server/delivery/providers/outbound-http.ts'
import { type HttpReply, startHttpPeer } from './http-peer.ts'

/**
 * A peer that answers so, and a provider that uses it, both closed at the end of the block. The provider waits a second for
 * an answer that never ends.
 * @param create gets the URL of the peer
 */
export async function talkingHttp(reply: HttpReply, create: (url: string, http: OutboundHttp) => Provider) {
  const peer = await startHttpPeer(reply)
  const isEndless = reply === 'hang' || (typeof reply === 'object' && reply.drip === true)
  const http = createOutboundHttp({ allowPrivate: true, timeoutMs: isEndless ? 1_000 : 20_000 })
  return { peer, provider: create(peer.url, http), [Symbol.asyncDispose]: () => peer.close() }
}
