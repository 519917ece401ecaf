import { createServer, type IncomingMessage } from 'node:http'
import { closeWithConnections, listenOnLoopback } from '../loopback.ts'

/** One request that passed the proxy. */
interface Passed {
  readonly line: string
  readonly body: string
}

/** An HTTP proxy to a service that records requests and can lose the responses. */
export interface RecordingProxy extends AsyncDisposable {
  readonly url: string
  readonly passed: Passed[]
  /**
   * Whether to close the connection instead of passing on the response of the service; not asked for preflights.
   * `disconnected` resolves when the client has closed it.
   */
  loses: (line: string, disconnected: Promise<void>) => boolean | Promise<boolean>
  /** The service to pass requests to. */
  target: string
  close(): Promise<void>
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`
    const disconnected = new Promise<void>((resolve) => response.once('close', resolve))
    const body = await bodyOf(request)
    if (request.method !== 'OPTIONS') proxy.passed.push({ line, body })
    try {
      const { host: _, connection: __, ...headers } = request.headers
      const answer = await fetch(proxy.target + request.url, {
        method: request.method!,
        headers: headers as Record<string, string>,
        ...(body !== '' && { body }),
      })
      const text = await answer.text()
      if (request.method !== 'OPTIONS' && (await proxy.loses(line, disconnected))) return response.destroy()
      const passedOn = Object.fromEntries(
        [...answer.headers].filter(
          ([name]) => !/^(content-length|connection|keep-alive|transfer-encoding)$/.test(name),
        ),
      )
      // A browser repeats a request by itself when a connection that it used before is lost.
      response.shouldKeepAlive = false
      response.writeHead(answer.status, passedOn).end(answer.status === 204 ? undefined : text)
    } catch {
      response.destroy()
    }
  })
  const port = await listenOnLoopback(server)
  const close = () => closeWithConnections(server)
  const proxy: RecordingProxy = {
    url: `http://127.0.0.1:${port}`,
    passed: [],
    loses: () => false,
    target,
    close,
    [Symbol.asyncDispose]: close,
  }
  return proxy
}
