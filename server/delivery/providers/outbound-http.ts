import type { LookupAddress } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { nodeHttp, nodeHttps } from '../../core/node-http.ts'
import { TemporaryFailure } from '../provider.ts'
import { connectionProblem } from './connection-problem.ts'
import { withDeadline } from './deadline.ts'
import { type DestinationRules, findAddresses, pinnedTo } from './destination.ts'

interface OutboundRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A response with at most the first 64 KB of its body. */
export interface OutboundAnswer {
  readonly status: number
  readonly text: string
  /** From a `Retry-After` header. */
  readonly retryAfterSeconds?: number
}

/** Sends all outbound HTTP requests of delivery. */
export interface OutboundHttp {
  /**
   * Resolves with any response, including redirects, which are not followed.
   * @throws TemporaryFailure when there is no response; its message contains neither the URL's path nor the request
   */
  post(url: string, request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer>
}

interface OutboundHttpOptions extends DestinationRules {
  /** From the DNS lookup to the last byte of the response; 5 s by default. */
  readonly timeoutMs?: number
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string
}

const longestAnswer = 64 * 1024
const longestHeaders = 16 * 1024
/** Of the whole response. Informational responses, such as 103, and chunk extensions are not limited otherwise. */
const mostReceived = 256 * 1024

/** Requires https and public addresses unless `allowPrivate`; follows no redirects; limits time and size. */
export function createOutboundHttp({ timeoutMs = 5_000, ca, ...rules }: OutboundHttpOptions): OutboundHttp {
  function exchange(
    url: URL,
    addresses: readonly LookupAddress[],
    { headers, body }: OutboundRequest,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>()
    const { request: begin } = url.protocol === 'https:' ? nodeHttps() : nodeHttp()
    const request = begin(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: pinnedTo(addresses),
      agent: false, // A new connection for each request, because its address is checked for each request.
      maxHeaderSize: longestHeaders,
      rejectUnauthorized: true, // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
      ca,
      signal,
    })
    request.on('error', reject)
    request.on('socket', (socket) => {
      let received = 0
      socket.on('data', ({ length }: Buffer) => {
        received += length
        if (received > mostReceived) request.destroy(Object.assign(new Error('too long'), { code: 'EMSGSIZE' }))
      })
    })
    request.on('response', (response) => {
      // The status decides, even if reading the body fails.
      request.off('error', reject).on('error', () => {})
      readAnswer(response).then(resolve, reject)
    })
    // Without a listener, Node closes the connection of an answer 101 and emits no other event.
    request.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, text: '' })
    })
    request.end(body)
    return promise
  }

  return {
    post(text, request, signal) {
      const problem = urlProblem(text, rules.allowPrivate)
      if (problem !== null) return Promise.reject(new TemporaryFailure(`The address ${problem}`))
      const url = new URL(text)
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
 * The problem with a URL to post to, as the rest of a sentence; null for a valid one. Does not quote the URL, because a
 * webhook's path is a secret. IP addresses are checked on each request.
 */
export function urlProblem(url: string, allowPrivate: boolean): string | null {
  if (!URL.canParse(url)) return 'must be a whole URL such as https://sms.example.com/messages'
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'https:' && !(protocol === 'http:' && allowPrivate)) return 'must begin with https://'
  if (username !== '' || password !== '') return 'must not hold a user name or password'
  return null
}

/** `[::1]` → `::1`. */
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
    // The status was received. Treating an accepted message as a failure would send it twice.
  }
  const text = Buffer.concat(chunks).subarray(0, longestAnswer).toString('utf8')
  const status = response.statusCode ?? 0
  const retryAfterSeconds = retryAfterOf(response.headers)
  return retryAfterSeconds === null ? { status, text } : { status, text, retryAfterSeconds }
}

/** Seconds, or a time (RFC 9110 10.2.3), which is compared with the peer's own clock. */
function retryAfterOf({ 'retry-after': given = '', date = '' }: IncomingMessage['headers']): number | null {
  if (/^\d{1,6}$/.test(given)) return Number(given)
  const seconds = Math.ceil((Date.parse(given) - Date.parse(date)) / 1000)
  return seconds >= 0 && seconds < 1_000_000 ? seconds : null
}
