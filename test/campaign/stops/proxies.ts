import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'
import { withProgress } from '../progress.ts'
import { type FrontProxy, rollingRestarts } from './rolling-restarts.ts'
import { describeTally } from './stop.ts'

/** A proxy program, and how to run it in front of two servers. */
interface ProxyProgram {
  readonly name: string
  readonly versionFlag: string
  readonly file: string
  configure(port: number, folder: string, servers: readonly number[]): string
  readonly args: (file: string, folder: string) => string[]
}

const programs: readonly ProxyProgram[] = [
  {
    name: 'nginx',
    versionFlag: '-v',
    file: 'nginx.conf',
    configure: (port, folder, servers) => `
daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  upstream tenantry { ${servers.map((server) => `server 127.0.0.1:${server} max_fails=0;`).join(' ')} keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://tenantry; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_connect_timeout 1s;
    }
  }
}`,
    args: (file, folder) => ['-c', file, '-p', folder],
  },
  {
    name: 'haproxy',
    versionFlag: '-v',
    file: 'haproxy.cfg',
    configure: (port, _folder, servers) => `
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 30s
frontend front
  bind 127.0.0.1:${port}
  default_backend tenantry
backend tenantry
  option httpchk GET /readyz
  retries 3
  option redispatch
${servers.map((server) => `  server s${server} 127.0.0.1:${server} check inter 200ms fall 2 rise 1`).join('\n')}
`,
    args: (file) => ['-db', '-f', file],
  },
]

/** HAProxy needs one good check to use a server again; it does not report when that happened. */
const noticedMs = 1_500

/** Starts the program in front of the servers. */
const startProgram =
  ({ name, file, configure, args }: ProxyProgram) =>
  async (servers: readonly number[]): Promise<FrontProxy> => {
    const folder = await mkdtemp(join(tmpdir(), `tenantry-${name}-`))
    const port = await freePort()
    const path = join(folder, file)
    await writeFile(path, configure(port, folder, servers))
    const child: ChildProcess = spawn(name, args(path, folder), { stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(child, 'exit')
    const baseUrl = `http://127.0.0.1:${port}`
    return {
      baseUrl,
      async bothReady() {
        await until(async () => (await fetch(`${baseUrl}/healthz`).catch(() => null))?.status === 200)
        await pause(noticedMs)
      },
      async [Symbol.asyncDispose]() {
        child.kill('SIGTERM')
        await ended
        await rm(folder, { recursive: true })
      },
    }
  }

/** `npm run campaign -- proxies --cycles 10`: 10 rolling restarts behind nginx and 10 behind HAProxy. */
export async function runProxies({ cycles, seed }: { cycles: number; seed: number }): Promise<void> {
  for (const program of programs) {
    const { error, stdout, stderr } = spawnSync(program.name, [program.versionFlag], { encoding: 'utf8' })
    if (error) {
      process.stdout.write(`${program.name}: skipped, not installed\n`)
      continue
    }
    const startProxy = startProgram(program)
    const steps = { name: program.name, unit: 'rolling restart', total: cycles }
    const report = await withProgress(steps, ({ watch }) => rollingRestarts(cycles, seed, { startProxy, watch }))
    const version = `${stdout}${stderr}`.split('\n', 1)[0]
    process.stdout.write(
      `${version}: ${cycles} rolling restarts, ${report.failed.length} failed: ${describeTally(report)}\n`,
    )
    if (report.failed.length > 0) process.exitCode = 1
  }
}
