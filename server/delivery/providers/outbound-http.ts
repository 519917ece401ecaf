import type { LookupAddress } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { TemporaryFailure } from '../provider.ts'
import { connectionProblem } from './connection-problem.ts'
import { withDeadline } from './deadline.ts'
import { type DestinationRules, findAddresses, pinnedTo } from './destination.ts'

/** What is posted; the body as it goes out. */
export interface OutboundRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What came back: never more than the first 64 KB of it. */
export interface OutboundAnswer {
  readonly status: number
  readonly text: string
  /** From `Retry-After`, when it gave seconds. */
  readonly retryAfterSeconds?: number
}

/** All outbound HTTP of the service goes through this. */
export interface OutboundHttp {
  /**
   * @throws TemporaryFailure for every reason there was no answer, in words without the address's path or what was sent.
   * Any status is an answer, a redirect too: none is followed.
   */
  post(url: string, request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer>
}

/** Where it may go, and how long that may take. */
export interface OutboundHttpOptions extends DestinationRules {
  /** For the whole of it, from the look-up to the answer's last byte. */
  readonly timeoutMs?: number
  /** Certificates to trust instead of the machine's, PEM. */
  readonly ca?: string
}

const longestAnswer = 64 * 1024
const longestHeaders = 16 * 1024

/** Outbound HTTP under the rules of issue 3: https outside development, public addresses, no redirects, 5 s, 64 KB. */
export function createOutboundHttp({ timeoutMs = 5_000, ca, ...rules }: OutboundHttpOptions): OutboundHttp {
  function exchange(
    url: URL,
    addresses: readonly LookupAddress[],
    { headers, body }: OutboundRequest,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>()
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: pinnedTo(addresses),
      agent: false, // A connection of its own: a kept one would be to an address checked for another request.
      maxHeaderSize: longestHeaders,
      rejectUnauthorized: true, // Also when NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
      ca,
      signal,
    })
    request.on('error', reject)
    request.on('response', (response) => {
      // From here the answer stands, whatever becomes of its body.
      request.off('error', reject).on('error', () => {})
      readAnswer(response).then(resolve, reject)
    })
    request.end(body)
    return promise
  }

  return {
    post(address, request, signal) {
      const problem = urlProblem(address, rules.allowPrivate)
      if (problem !== null) return Promise.reject(new TemporaryFailure(`The address ${problem}`))
      const url = new URL(address)
      const late = `${url.hostname} did not answer within ${timeoutMs / 1000} s`
      return withDeadline(signal, timeoutMs, late, async (ends) => {
        const addresses = await findAddresses(bare(url.hostname), rules, ends)
        try {
          return await exchange(url, addresses, request, ends)
        } catch (error) {
          throw new TemporaryFailure(`${url.hostname} ${connectionProblem(error)}`)
        }
      })
    },
  }
}

/**
 * What is wrong with an address to post to, as the rest of a sentence; null when nothing is. Never quotes the address: a
 * webhook's path is a secret. Which IP address a name stands for is only known when it is used.
 */
export function urlProblem(address: string, allowPrivate: boolean): string | null {
  if (!URL.canParse(address)) return 'must be a whole URL such as https://sms.example.com/messages'
  const { protocol, username, password } = new URL(address)
  if (protocol !== 'https:' && !(protocol === 'http:' && allowPrivate)) return 'must begin with https://'
  if (username !== '' || password !== '') return 'must not hold a user name or password'
  return null
}

/** `[::1]` → `::1`: how everything but a URL writes it. */
const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

async function readAnswer(response: IncomingMessage): Promise<OutboundAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= longestAnswer) break
    }
  } catch {
    // Cut off or too slow. The status has been said: a yes taken for a no would send the message twice.
  }
  const text = Buffer.concat(chunks).subarray(0, longestAnswer).toString('utf8')
  const retryAfter = response.headers['retry-after'] ?? ''
  const status = response.statusCode ?? 0
  return /^\d{1,6}$/.test(retryAfter) ? { status, text, retryAfterSeconds: Number(retryAfter) } : { status, text }
}
