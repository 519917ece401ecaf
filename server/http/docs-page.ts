import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** The page loads nothing from other hosts: no CDN, no fonts, no telemetry. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // Scalar adds a style sheet and style attributes to the page.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tenantry</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <script src="docs/scalar.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`

/** Every feature of Scalar that contacts another host is off. */
const configuration = {
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  orderSchemaPropertiesBy: 'preserve',
}

const start = `Scalar.createApiReference('#app', ${JSON.stringify(configuration)})\n`

/** Adds `GET /docs`, which shows `/openapi.json`, and its two scripts. Scalar is loaded with the first request. */
export function mountDocsPage(app: FastifyInstance): void {
  app.get('/docs', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .send(page),
  )
  app.get('/docs/start.js', async (_request, reply) =>
    reply.type(javascript).header('cache-control', 'no-cache').send(start),
  )

  let loading: Promise<Buffer> | undefined
  app.get('/docs/scalar.js', async (request, reply) => {
    loading ??= loadScript()
    const script = await loading.catch((error: unknown) => {
      loading = undefined
      throw error
    })
    reply.type(javascript).header('cache-control', 'public, max-age=3600').header('vary', 'Accept-Encoding')
    if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
      return reply.header('content-encoding', 'gzip').send(script)
    return reply.send(Readable.from([script]).pipe(createGunzip()))
  })
}

const javascript = 'text/javascript; charset=utf-8'

/** @returns the script, gzipped */
function loadScript(): Promise<Buffer> {
  const worker = new Worker(new URL('./docs-script-worker.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    worker.once('message', (script: Uint8Array) =>
      resolve(Buffer.from(script.buffer, script.byteOffset, script.byteLength)),
    )
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('failed to load the script of the docs page')))
  })
}
