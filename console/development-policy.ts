import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import {
  consoleHeaders,
  consolePagePolicy,
  mailFramePolicy,
  scriptOfMailFrame,
} from '../contract/admin/console-policy.ts'

/**
 * Answers with the headers of the service, so that what its content security policy refuses is found while developing. The
 * nonce also allows the script that Vite writes into the page, which starts the replacement of modules.
 */
export function developmentPolicy(): Plugin {
  const nonce = randomBytes(16).toString('base64')
  const page = consolePagePolicy(nonce, [`'nonce-${nonce}'`])
  return {
    name: 'tenantry:development-policy',
    apply: 'serve',
    config: () => ({ html: { cspNonce: nonce } }),
    transformIndexHtml: { order: 'pre', handler: (html) => html.replace(/ *<meta property="csp-nonce"[^>]*>\n/, '') },
    configureServer({ middlewares, config }) {
      middlewares.use(async (request, response, next) => {
        try {
          const isMailFrame = request.url?.split('?', 1)[0]?.endsWith('/mail-frame.html')
          const policy = isMailFrame ? await ofMailFrame(config.publicDir) : page
          for (const [name, value] of Object.entries(consoleHeaders)) response.setHeader(name, value)
          response.setHeader('content-security-policy', policy)
          next()
        } catch (error) {
          next(error)
        }
      })
    },
  }
}

async function ofMailFrame(publicFolder: string): Promise<string> {
  const html = await readFile(join(publicFolder, 'mail-frame.html'), 'utf8')
  return mailFramePolicy(createHash('sha256').update(scriptOfMailFrame(html)).digest('base64'))
}
