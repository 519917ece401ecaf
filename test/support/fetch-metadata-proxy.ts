import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

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
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
