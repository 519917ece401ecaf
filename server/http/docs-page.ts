import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { createGunzip, gzip as gzipText } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { acceptsEncoding } from './accepts-encoding.ts'

/**
 * The page loads nothing from other hosts: no CDN, no fonts, no telemetry. It is sandboxed without `allow-same-origin`, and
 * it can send no request: an operator may be signed in at this origin, and a script here must not act as one (threat K01).
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // Scalar adds a style sheet and style attributes to the page.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox',
].join('; ')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tenantry</title>
    <link rel="icon" href="data:,">
    <style>
      :root { --scalar-custom-header-height: 2.5rem; }
      #sandbox {
        position: sticky; top: 0; z-index: 1; box-sizing: border-box; height: 2.5rem; margin: 0; padding: 0 1rem;
        overflow: hidden; font: 0.875rem/2.5rem system-ui, sans-serif; text-overflow: ellipsis; white-space: nowrap;
        color: #444; background: #f2f2f2;
      }
    </style>
  </head>
  <body>
    <p id="sandbox">This page is sandboxed and cannot send requests. Copy the <code>curl</code> command of an operation to try it.</p>
    <div id="app"></div>
    <script src="docs/storage.js"></script>
    <script src="docs/scalar.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`

/** Every feature of Scalar that contacts another host is off. */
const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  hideTestRequestButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  orderSchemaPropertiesBy: 'preserve',
  // What the commands to copy have in the place of secrets.
  authentication: {
    securitySchemes: {
      TenantKey: { value: 'TENANT_KEY' },
      UserToken: { token: 'ACCESS_TOKEN' },
      AdminKey: { token: 'ADMIN_KEY' },
    },
  },
}

/**
 * Shows the document, which the page cannot fetch. The commands to copy leave out optional parameters: Scalar would send all
 * that have an example, and a list with every filter and the cursor of another list is empty.
 */
const startWith = (openApi: string): string => `const content = ${openApi}
const operations = Object.values(content.paths ?? {}).flatMap((path) => Object.values(path))
const shared = Object.values(content.components?.parameters ?? {})
for (const parameter of [...shared, ...operations.flatMap(({ parameters = [] }) => parameters)]) {
  if (parameter.required !== false || parameter.example === undefined) continue
  parameter.examples = { Example: { value: parameter.example, 'x-disabled': true } }
  delete parameter.example
}
Scalar.createApiReference('#app', { ...${JSON.stringify(configuration)}, content })
`

/** Naming `localStorage` throws in a sandbox, and Scalar keeps its view settings there. These last as long as the page. */
const storage = `for (const name of ['localStorage', 'sessionStorage']) {
  const items = new Map()
  const value = {
    getItem: (key) => items.get(String(key)) ?? null,
    setItem: (key, text) => void items.set(String(key), String(text)),
    removeItem: (key) => void items.delete(String(key)),
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    get length() { return items.size },
  }
  Object.defineProperty(window, name, { value })
}
`

/**
 * Adds `GET /docs`, which shows the OpenAPI document, and its scripts. Document and Scalar are loaded with the first
 * request.
 */
export function mountDocsPage(app: FastifyInstance, openApiDocument: () => Promise<string>): void {
  app.get('/docs', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .send(page),
  )
  app.get('/docs/storage.js', async (_request, reply) =>
    reply.type(javascript).header('cache-control', 'no-cache').send(storage),
  )
  mountGzipped(app, '/docs/start.js', 'no-cache', async () => await gzip(startWith(await openApiDocument())))
  mountGzipped(app, '/docs/scalar.js', 'public, max-age=3600', loadScalar)
}

const javascript = 'text/javascript; charset=utf-8'
const gzip = promisify<string, Buffer>(gzipText)

/** @param load the script, gzipped; called by the first request, and again once it failed */
function mountGzipped(app: FastifyInstance, path: string, cacheControl: string, load: () => Promise<Buffer>): void {
  let loading: Promise<Buffer> | undefined
  app.get(path, async (request, reply) => {
    loading ??= load()
    const script = await loading.catch((error: unknown) => {
      loading = undefined
      throw error
    })
    reply.type(javascript).header('cache-control', cacheControl).header('vary', 'Accept-Encoding')
    if (acceptsEncoding(request, 'gzip')) return reply.header('content-encoding', 'gzip').send(script)
    return reply.send(Readable.from([script]).pipe(createGunzip()))
  })
}

/** @returns the script, gzipped */
function loadScalar(): Promise<Buffer> {
  const worker = new Worker(new URL('./docs-script-worker.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    worker.once('message', (script: Uint8Array) =>
      resolve(Buffer.from(script.buffer, script.byteOffset, script.byteLength)),
    )
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('failed to load the script of the docs page')))
  })
}
