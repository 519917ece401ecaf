import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { haproxy, nginx, type ProxyProgram, startProxyProgram } from '../../support/deploy/proxy-program.ts'
import { until } from '../../support/until.ts'
import { withProgress } from '../progress.ts'
import { type FrontProxy, rollingRestarts } from './rolling-restarts.ts'
import { describeTally } from './stop.ts'

/** The programs, and the part of the configuration of each that names the servers by their ports. */
const proxies: readonly [program: ProxyProgram, partFor: (servers: readonly number[]) => string][] = [
  [
    nginx,
    (servers) => `
upstream tenantry { ${servers.map((server) => `server 127.0.0.1:${server} max_fails=0;`).join(' ')} keepalive 32; }
server {
  location / {
    proxy_pass http://tenantry; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_connect_timeout 1s;
  }
}`,
  ],
  [
    haproxy,
    (servers) => `
backend tenantry
  option httpchk GET /readyz
  retries 3
  option redispatch
${servers.map((server) => `  server s${server} 127.0.0.1:${server} check inter 200ms fall 2 rise 1`).join('\n')}
`,
  ],
]

/** HAProxy needs one good check to use a server again; it does not report when that happened. */
const noticedMs = 1_500

async function startInFront(program: ProxyProgram, part: string): Promise<FrontProxy> {
  const proxy = await startProxyProgram(program, part)
  return {
    baseUrl: proxy.baseUrl,
    async bothReady() {
      await until(async () => (await fetch(`${proxy.baseUrl}/healthz`).catch(() => null))?.status === 200)
      await pause(noticedMs)
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}

/** `npm run campaign -- proxies --cycles 10`: 10 rolling restarts behind nginx and 10 behind HAProxy. */
export async function runProxies({ cycles, seed }: { cycles: number; seed: number }): Promise<void> {
  for (const [program, partFor] of proxies) {
    const { error, stdout, stderr } = spawnSync(program.name, ['-v'], { encoding: 'utf8' })
    if (error) {
      process.stdout.write(`${program.name}: skipped, not installed\n`)
      continue
    }
    const startProxy = (servers: readonly number[]) => startInFront(program, partFor(servers))
    const steps = { name: program.name, unit: 'rolling restart', total: cycles }
    const report = await withProgress(steps, ({ watch }) => rollingRestarts(cycles, seed, { startProxy, watch }))
    const version = `${stdout}${stderr}`.split('\n', 1)[0]
    process.stdout.write(
      `${version}: ${cycles} rolling restarts, ${report.failed.length} failed: ${describeTally(report)}\n`,
    )
    if (report.failed.length > 0) process.exitCode = 1
  }
}
