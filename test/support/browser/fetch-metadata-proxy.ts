import { createServer, request } from 'node:http'
import { closeWithConnections, listenOnLoopback } from '../loopback.ts'

/** Another origin on this machine that passes requests on without `Sec-Fetch-*`, as browsers before 2023 send them. */
export async function withoutFetchMetadata(baseUrl: string): Promise<AsyncDisposable & { readonly origin: string }> {
  const server = createServer((incoming, answer) => {
    const headers = Object.entries(incoming.headers).filter(([name]) => !name.startsWith('sec-fetch-'))
    const { method, url = '/' } = incoming
    const asked = request(new URL(url, baseUrl), { method, headers: Object.fromEntries(headers), agent: false })
    asked.on('response', (response) => {
      answer.writeHead(response.statusCode!, response.headers)
      response.pipe(answer)
    })
    asked.on('error', () => answer.destroy())
    incoming.pipe(asked)
  })
  const port = await listenOnLoopback(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => closeWithConnections(server),
  }
}
