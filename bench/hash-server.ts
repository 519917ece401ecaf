import { createServer } from 'node:http'
import { createPasswordHasher } from '../server/passwords/password-hasher.ts'
import { benchPassword } from './people.ts'

/**
 * The hash alone: `POST /hash` and `POST /verify` compute one Argon2id hash with the service's hasher, which runs as many
 * in parallel as in the service, and nothing else. Usage: `hash-server.ts <port>`.
 */
const hasher = createPasswordHasher()
const caller = { tenantId: 'bench' }
const stored = await hasher.hash(benchPassword, caller)

createServer((request, response) => {
  request.resume()
  const hashing =
    request.url === '/hash' ? hasher.hash(benchPassword, caller) : hasher.verify(stored, benchPassword, caller)
  hashing.then(
    () => response.writeHead(201, { 'content-length': 0 }).end(),
    () => response.writeHead(503, { 'content-length': 0 }).end(),
  )
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
