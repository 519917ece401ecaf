/**
 * Extracts Scalar's browser script from its Fastify plugin, which takes 80 MB of memory and 200 ms to load. Runs in a
 * thread that then ends, so that the process only keeps the compressed script.
 */
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

const app = Fastify()
await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js')
if (statusCode !== 200) throw new Error(`Scalar's plugin answered ${statusCode} for its script`)
const script = new Uint8Array(gzipSync(rawPayload))
parentPort?.postMessage(script, [script.buffer])
