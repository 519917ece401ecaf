import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { operation } from '../../../contract/operation.ts'
import type { BodyLine } from '../../../server/core/handler.ts'
import { createCallerAddress } from '../../../server/http/caller-address.ts'
import { serve } from '../../../server/http/mount.ts'
import { createHttpServer, type Timeouts } from '../../../server/http/server.ts'
import { createClientAddress } from '../../../server/limits/client-address.ts'
import { startTestService, testAdminKey } from '../service.ts'

const count = z.int().min(0)

/** Lines in both directions, of any shape. */
export const exchangeLines = operation({
  method: 'POST',
  path: '/admin/lines',
  summary: 'Lines for lines',
  description: 'Lines for lines',
  auth: 'admin',
  query: z.object({ every: z.string().optional() }),
  bodyLines: z.object({ n: count }),
  maxBodyBytes: 64 * 1024 ** 2,
  outputLines: true,
  status: 201,
  output: z.looseObject({ received: count.optional(), done: z.literal(true).optional() }),
  errors: ['TENANT_NOT_FOUND'],
})

/** Lines in the request, one answer. */
export const countLines = operation({
  method: 'POST',
  path: '/admin/lines/count',
  summary: 'How many lines',
  description: 'How many lines',
  auth: 'admin',
  bodyLines: z.object({ n: count }),
  status: 200,
  output: z.object({ received: count }),
  errors: [],
})

/** Lines in the answer. */
export const listLines = operation({
  method: 'GET',
  path: '/admin/lines',
  summary: 'Many lines',
  description: 'Many lines',
  auth: 'admin',
  outputLines: true,
  status: 200,
  output: z.looseObject({}),
  errors: [],
})

/** The handlers of the operations, which count unless a test replaces them. */
interface Work {
  exchange(lines: AsyncIterable<BodyLine>, every: number): AsyncIterable<Record<string, unknown>>
  list(): AsyncIterable<Record<string, unknown>>
}

/** Answers a line for every so many lines, and one at the end. */
export async function* counting(lines: AsyncIterable<BodyLine>, every: number) {
  let received = 0
  for await (const { problem } of lines) {
    if (problem === undefined) received++
    if (received % every === 0) yield { received }
  }
  yield { received, done: true }
}

/** The real HTTP server on the stores of a real service, with test operations. */
export interface LinesServer {
  readonly baseUrl: string
  readonly log: string[]
  readonly work: Work
  close(): Promise<void>
}

/** Long enough for a machine that runs other tests. */
export const calmly: Timeouts = { headersMs: 10_000, requestMs: 20_000, checkIntervalMs: 1_000, unreadMs: 20_000 }

export async function startLinesServer(timeouts = calmly): Promise<LinesServer> {
  const beside = await startTestService()
  const { services } = beside.service
  const work: Work = {
    exchange: counting,
    async *list() {},
  }
  const app = createHttpServer({
    ...services,
    services,
    origins: { allowLoopback: false, onRefused: () => {} },
    routes: [
      serve('admin', '-', exchangeLines, ({ lines, query }) => work.exchange(lines, Number(query.every ?? 1_000))),
      serve('admin', '-', countLines, async ({ lines }) => {
        let received = 0
        for await (const { problem } of lines) if (problem === undefined) received++
        return { received }
      }),
      serve('admin', '-', listLines, () => work.list()),
    ],
    callerAddress: createCallerAddress(createClientAddress(''), services.logger),
    recordKeyUse: services.keyUses.record,
    recordOperatorUse: () => {},
    timeouts,
  })
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    baseUrl,
    log: beside.log,
    work,
    async close() {
      // A connection without any request would delay closing, as in the service itself.
      const shutdownTimeout = setTimeout(() => app.server.closeAllConnections(), 4_000)
      await app.close()
      clearTimeout(shutdownTimeout)
      await beside.close()
    },
  }
}

/** An answer of lines, possibly incomplete. */
interface ReadAnswer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  readonly lines: any[]
  /** Whether the answer ended, rather than broke off. */
  readonly whole: boolean
}

export const linesHeaders = { authorization: `Bearer ${testAdminKey}`, 'content-type': 'application/x-ndjson' }

/** Sends a body in chunks, without a length unless the headers name one, and reads the answer meanwhile. */
export async function send(
  url: string,
  body: string | Buffer | AsyncIterable<string | Buffer> | Iterable<string | Buffer>,
  headers: OutgoingHttpHeaders = {},
): Promise<ReadAnswer> {
  const sent = httpRequest(url, { method: 'POST', headers: { ...linesHeaders, ...headers }, agent: false })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  sent.on('response', resolve).on('error', reject)
  const pieces = typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body
  // A server that answers early may close before it has read the rest.
  pipeline(Readable.from(pieces), sent).catch(() => {})
  return read(await promise)
}

async function read(answer: IncomingMessage): Promise<ReadAnswer> {
  let text = ''
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await finished(answer).catch(() => {})
  const lines = text.split('\n').filter((line) => line !== '')
  return {
    status: answer.statusCode,
    headers: answer.headers,
    lines: lines.map((line) => JSON.parse(line)),
    whole: answer.complete,
  }
}
