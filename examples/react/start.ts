import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { build } from 'tsdown'
import { createServer } from 'vite'
import { applyEnvFile } from '../../server/settings/env-file.ts'
import { readKeptSecrets } from '../../server/settings/kept-secrets.ts'
import { localSecretsPath, localUrl, portOf, refuseArguments } from '../../server/settings/local-server.ts'

/**
 * `npm run example`: the example beside a server in development. Uses the server that runs on `PORT`, or starts one. The
 * tenant is the demo tenant. `EXAMPLE_PORT` is the port of the app.
 */
const root = join(import.meta.dirname, '../..')
process.chdir(root)
const { serverUrl, port } = readSettings()

// The app imports the package as its users do.
await build({ cwd: join(root, 'packages/client'), logLevel: 'warn' })

if (!(await isReady())) {
  // The app reaches it on 127.0.0.1, whatever HOST is in `.env`.
  const env = { ...process.env, HOST: '127.0.0.1' }
  const child = spawn(process.execPath, ['--max-semi-space-size=4', 'server/start.js'], { stdio: 'inherit', env })
  child.once('exit', (code) => process.exit(code ?? 1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
  // An example that fails leaves no server behind.
  process.once('exit', () => child.kill())
  while (!(await isReady())) await setTimeout(100)
}

process.env['VITE_TENANTRY_URL'] = serverUrl
process.env['VITE_TENANTRY_KEY'] = await waitForTenantKey(localSecretsPath(process.env))
const vite = await createServer({ root: import.meta.dirname, server: { host: '127.0.0.1', port } })
await vite.listen()
console.log(`\nThe example is on ${vite.resolvedUrls?.local[0]}\n`)

function readSettings(): { serverUrl: string; port: number } {
  try {
    applyEnvFile(process.env, '.')
    refuseArguments(process.argv.slice(2), 'EXAMPLE_PORT=5180 npm run example')
    return { serverUrl: localUrl(process.env), port: portOf('EXAMPLE_PORT', process.env['EXAMPLE_PORT'] || '5173') }
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch(`${serverUrl}/readyz`)).ok
  } catch {
    return false
  }
}

/** The demo tenant is created after the first startup. */
async function waitForTenantKey(path: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { demo } = readKeptSecrets(path)
    if (demo !== undefined) return demo.tenantKey
    await setTimeout(100)
  }
  console.error(`${path} has no demo tenant. Start the server in development with an empty database first.`)
  process.exit(1)
}
