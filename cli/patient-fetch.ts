import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { nodeHttp, nodeHttps } from '../server/core/node-http.ts'

/** TCP keepalive, so that routers on the way do not forget a connection that is silent for minutes. */
const keepAliveMs = 30_000

/**
 * `fetch` for calls that the service answers when it has read everything: the one of Node gives up after five minutes without
 * headers (`UND_ERR_HEADERS_TIMEOUT`). Reads the whole answer, and takes what the client gives it: a URL, and a text as body.
 */
export async function patientFetch(
  url: unknown,
  { method, headers, body, signal }: RequestInit = {},
): Promise<Response> {
  const { href, protocol } = url as URL
  const { request } = protocol === 'https:' ? nodeHttps() : nodeHttp()
  try {
    const sent = request(href, {
      method: method ?? 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(signal && { signal }),
    })
    sent.setSocketKeepAlive(true, keepAliveMs)
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    // Still a listener when the answer is read: an error of the connection then fails the reading, and not the process.
    sent.on('response', resolve).on('error', reject)
    // Without a listener, Node closes the connection of an answer 101 and emits no other event.
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new Error('answered 101'))
    })
    sent.end(body)
    const answer = await promise
    const read = await buffer(answer)
    const { statusCode: status = 0, statusMessage: statusText = '' } = answer
    return new Response(read.length === 0 ? null : read, { status, statusText, headers: new Headers(pairsOf(answer)) })
  } catch (cause) {
    throw new TypeError('fetch failed', { cause })
  }
}

const pairsOf = ({ rawHeaders }: IncomingMessage): [string, string][] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, index) => [rawHeaders[2 * index]!, rawHeaders[2 * index + 1]!])
