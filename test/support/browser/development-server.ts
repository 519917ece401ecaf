import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'vite'

const root = join(import.meta.dirname, '../../..')

/** `npm run console` on a copy of the sources. */
export interface DevelopmentServer extends AsyncDisposable {
  readonly url: string
  /** Replaces a text in a file of the console, such as `session/sign-in.tsx`. */
  edit(file: string, text: string, replacement: string): Promise<void>
}

/**
 * Starts the development server of the console before a service. Vite sets NODE_ENV for the rest of the process, so that tests
 * that use this run in separate processes (`needsOwnProcess` in `test-processes.ts`).
 */
export async function startDevelopmentServer(serviceUrl: string): Promise<DevelopmentServer> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-development-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const isSource = (path: string) => !/[\\/](?:dist|node_modules)$/.test(path)
  for (const source of ['console', 'contract', 'packages/client/src', 'package.json', 'tsconfig.json'])
    await cp(join(root, source), join(folder, source), { recursive: true, filter: isSource })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  process.env['PORT'] = new URL(serviceUrl).port
  const server = await createServer({
    configFile: join(folder, 'console/vite.config.ts'),
    cacheDir: join(folder, '.vite'),
    logLevel: 'warn',
    server: { host: '127.0.0.1', port: 0, strictPort: false, fs: { strict: false } },
  })
  stack.defer(() => server.close())
  await server.listen()
  const kept = stack.move()
  return {
    url: server.resolvedUrls!.local[0]!.replace(/\/console\/$/, ''),
    async edit(file, text, replacement) {
      const path = join(folder, 'console', file)
      const content = await readFile(path, 'utf8')
      if (!content.includes(text)) throw new Error(`${file} has no ${JSON.stringify(text)}`)
      await writeFile(path, content.replace(text, replacement))
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
