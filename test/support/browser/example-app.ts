import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview } from 'vite'
import { demoProfileSchema } from '../../../demo/profile-schema.ts'
import type { TestService, TestTenant } from '../service.ts'

const root = join(import.meta.dirname, '../../..')
const source = join(root, 'packages/client/src')

/** `examples/react`, built and served for a tenant of a service. */
export interface ExampleApp extends AsyncDisposable {
  readonly url: string
  readonly tenant: TestTenant
  /** The latest code that the service sent to an address. */
  codeFor(address: string): Promise<string>
}

/** Builds the example from the sources of the client, and serves it from an origin that the tenant allows. */
export async function serveExample(service: TestService): Promise<ExampleApp> {
  await using stack = new AsyncDisposableStack()
  stack.defer(keepNodeEnv())
  const outDir = await mkdtemp(join(tmpdir(), 'tenantry-example-'))
  stack.defer(() => rm(outDir, { recursive: true, force: true }))
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, demoProfileSchema)
  const app = { root: join(root, 'examples/react'), logLevel: 'warn', build: { outDir, emptyOutDir: true } } as const
  await build({
    ...app,
    resolve: {
      alias: [
        { find: /^@tenantry\/client$/, replacement: join(source, 'index.ts') },
        { find: /^@tenantry\/client\/(\w+)$/, replacement: join(source, '$1.ts') },
      ],
    },
    define: {
      'import.meta.env.VITE_TENANTRY_URL': JSON.stringify(service.baseUrl),
      'import.meta.env.VITE_TENANTRY_KEY': JSON.stringify(tenant.key),
    },
  })
  const server = await preview({ ...app, preview: { host: '127.0.0.1', port: 0 } })
  stack.defer(() => server.close())
  const url = server.resolvedUrls!.local[0]!
  await service.admin.updateConfiguration(
    { tenantId: tenant.tenantId },
    { security: { allowedOrigins: [new URL(url).origin] } },
  )
  const kept = stack.move()
  return {
    url,
    tenant,
    async codeFor(address) {
      await service.service.services.delivery.drain()
      const { messages } = await service.admin.listTestingChannelMessages({ tenantId: tenant.tenantId })
      const code = messages.findLast(({ recipient }) => recipient === address)?.code
      if (!code) throw new Error(`No code was sent to ${address}`)
      return code
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Vite sets NODE_ENV, which decides what other tests of this process get from React. Returns what sets it back. */
function keepNodeEnv(): () => void {
  const { NODE_ENV } = process.env
  return () => {
    delete process.env['NODE_ENV']
    if (NODE_ENV !== undefined) process.env['NODE_ENV'] = NODE_ENV
  }
}
