import { Agent, createServer, request as httpRequest } from 'node:http'
import { getReadiness } from '../../../contract/system.ts'
import { listenOnLoopback } from '../../support/loopback.ts'

/** A load balancer: round robin over the servers that are ready, on keep-alive connections, without retries. */
interface HealthCheckingProxy extends AsyncDisposable {
  readonly baseUrl: string
  /** The number of servers in rotation. */
  readonly ready: number
}

/** Generous, because a machine that is busy with other tests answers late. */
const checkTimeoutMs = 2_000

/** @param checkMs `GET /readyz` is sent to each server this often; one failure takes it out, one success brings it back */
export async function startHealthCheckingProxy(
  ports: readonly number[],
  checkMs: number,
): Promise<HealthCheckingProxy> {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<number>()
  let turn = 0

  const checks = ports.map((port) => {
    const checkAgent = new Agent()
    return setInterval(() => {
      const check = httpRequest({ agent: checkAgent, port, path: getReadiness.path, timeout: checkTimeoutMs })
      check.on('response', (response) => {
        response.resume()
        if (response.statusCode === 200) ready.add(port)
        else ready.delete(port)
      })
      check.on('timeout', () => check.destroy())
      check.on('error', () => ready.delete(port))
      check.end()
    }, checkMs)
  })

  const server = createServer((incoming, answer) => {
    const { method, url, headers } = incoming
    const open = [...ready]
    const port = open[turn++ % Math.max(open.length, 1)]
    const fail = (status: number) => {
      if (!answer.headersSent) answer.writeHead(status).end()
      else answer.destroy()
    }
    if (port === undefined) return fail(504)
    const { connection: _own, ...passed } = headers
    const onward = httpRequest({ agent, port, method, path: url, headers: passed })
    onward.on('error', () => fail(502))
    onward.on('response', (response) => {
      const { connection: _theirs, 'keep-alive': _timeout, ...kept } = response.headers
      answer.writeHead(response.statusCode ?? 502, kept)
      response.on('error', () => answer.destroy()).pipe(answer)
    })
    incoming.pipe(onward)
    return undefined
  })
  const port = await listenOnLoopback(server)

  return {
    baseUrl: `http://127.0.0.1:${port}`,
    get ready() {
      return ready.size
    },
    async [Symbol.asyncDispose]() {
      for (const check of checks) clearInterval(check)
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      agent.destroy()
      await closed
    },
  }
}
