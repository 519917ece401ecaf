import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'

/** A program that stands in front of servers. */
export interface ProxyProgram {
  /** The command, and the name of Debian's package. */
  readonly name: string
  /** A whole configuration without TLS. */
  configure(part: string, port: number, folder: string): string
  readonly args: (file: string, folder: string) => string[]
}

/** Its part is the content of `http`, with one block `server`. */
export const nginx: ProxyProgram = {
  name: 'nginx',
  configure: (part, port, folder) => `
daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events {}
http {
access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
${part.replace('server {\n', `server {\nlisten 127.0.0.1:${port};\n`)}
}`,
  args: (file, folder) => ['-c', file, '-p', folder],
}

/** Its part is the section `backend tenantry`. */
export const haproxy: ProxyProgram = {
  name: 'haproxy',
  configure: (part, port) => `
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 30s
frontend front
  bind 127.0.0.1:${port}
  default_backend tenantry
${part}`,
  args: (file) => ['-db', '-f', file],
}

interface RunningProxy extends AsyncDisposable {
  readonly baseUrl: string
}

/** Starts the program with this part of its configuration; it may not listen yet. */
export async function startProxyProgram(program: ProxyProgram, part: string): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), `tenantry-${program.name}-`))
  const port = await freePort()
  const file = join(folder, 'proxy.conf')
  await writeFile(file, program.configure(part, port, folder))
  const child = spawn(program.name, program.args(file, folder), { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
