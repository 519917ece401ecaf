import { createHash, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  consoleHeaders,
  consolePagePolicy,
  mailFramePolicy,
  scriptOfMailFrame,
} from '../../../contract/admin/console-policy.ts'
import { ServiceError } from '../../core/service-error.ts'
import { acceptsEncoding } from '../accepts-encoding.ts'
import { type ConsoleFile, type ConsoleFiles, readConsoleFiles } from './console-files.ts'

/** Where `npm ci` builds the console. */
const builtFolder = fileURLToPath(new URL('../../../console/dist', import.meta.url))

const notBuilt = `The console is not built. In the folder of Tenantry, run:

  npm ci

With "npm ci --omit=dev" it cannot be built: run "npm ci", then "npm prune --omit=dev". The API is not affected.
`

/**
 * Adds the operator's page under `/console/`. Its files are read with the first request and then kept. Every path below
 * that is not a file is a screen, and answers the page.
 * @param folder the built console
 */
export function mountConsole(app: FastifyInstance, folder = builtFolder): void {
  let reading: Promise<ConsoleFiles | null> | undefined
  async function readFiles(): Promise<ConsoleFiles | null> {
    reading ??= readConsoleFiles(folder)
    const files = await reading.catch((error: unknown) => {
      reading = undefined
      throw error
    })
    // It may be built while the server runs.
    if (files === null) reading = undefined
    return files
  }

  app.get('/console', async (_request, reply) => reply.redirect('/console/', 308))
  app.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
    reply.headers(consoleHeaders)
    const files = await readFiles()
    if (files === null) return answerNotBuilt(reply)
    const path = request.params['*']
    const file = files.get(path)
    if (path === 'mail-frame.html' && file) return answerMailFrame(reply, file)
    if (path === 'index.html' || isScreen(path)) return answerPage(reply, files.get('index.html')!)
    if (file === undefined) throw new ServiceError('NOT_FOUND')
    return answerFile(request, reply, file)
  })
}

/** No screen has a dot in its last part, and every file has. */
const isScreen = (path: string): boolean => !path.startsWith('assets/') && !/\.[^/]*$/.test(path)

function answerPage(reply: FastifyReply, { type, content }: ConsoleFile): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const page = content.toString('utf8').replace(/(<meta property="csp-nonce" nonce)(?:="[^"]*")?/, `$1="${nonce}"`)
  return reply
    .type(type)
    .header('content-security-policy', consolePagePolicy(nonce))
    .header('cache-control', 'no-store')
    .send(page)
}

function answerMailFrame(reply: FastifyReply, { type, content }: ConsoleFile): FastifyReply {
  const script = scriptOfMailFrame(content.toString('utf8'))
  return reply
    .type(type)
    .header('content-security-policy', mailFramePolicy(createHash('sha256').update(script).digest('base64')))
    .header('cache-control', 'no-cache')
    .send(content)
}

/** Whether `If-None-Match` names a file. Weak and strong tags of the same content are equal here (RFC 9110 13.1.2). */
const hasTag = (sent: string | undefined, etag: string): boolean =>
  sent?.trim() === '*' || (sent ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.slice(2))

function answerFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const { type, content, brotli, etag, isImmutable } = file
  reply
    .type(type)
    .header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('vary', 'Accept-Encoding')
  if (!isImmutable) {
    reply.header('etag', etag)
    if (hasTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  }
  if (brotli === null || !acceptsEncoding(request, 'br')) return reply.send(content)
  return reply.header('content-encoding', 'br').send(brotli)
}

const answerNotBuilt = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .type('text/plain; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    .header('cache-control', 'no-store')
    .send(notBuilt)
