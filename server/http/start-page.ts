import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A line of the start page. Paths are relative, so that they hold behind a proxy with a prefix. */
export interface StartPageLink {
  readonly path: string
  readonly title: string
  readonly text: string
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 0 auto; padding: 2rem 1.25rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; margin: 0; }
ul { list-style: none; padding: 0; }
li { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: 0.75rem 0; }
a { font-weight: 600; color: light-dark(#0b57d0, #a8c7fa); }
p { margin: 0.25rem 0; }
`

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page of `GET /`. Titles and texts are written here and in `startup/start-page-links.ts`, so none is escaped. */
export const renderStartPage = (links: readonly StartPageLink[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tenantry</title>
    <link rel="icon" href="data:,">
    <style>${style}</style>
  </head>
  <body>
    <h1>Tenantry</h1>
    <p>This server is running.</p>
    <ul>
${links.map(({ path, title, text }) => `      <li><a href="${path}">${title}</a><p>${text}</p></li>`).join('\n')}
    </ul>
  </body>
</html>
`

/** Whether a browser asks for the page: it names HTML, which `curl` and API clients do not. */
export const asksForStartPage = ({ method, url, headers }: FastifyRequest): boolean =>
  url === '/' && (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '')

export const answerStartPage = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', contentSecurityPolicy)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache')
    .header('vary', 'Accept')
    .send(page)
