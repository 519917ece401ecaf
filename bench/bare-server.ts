import { createServer } from 'node:http'

/**
 * The baseline of the runtime: reads the request and responds with as many bytes as the service, and nothing else.
 * `GET /<status>/<bytes>` or any other method with a body.
 */
const server = createServer((request, response) => {
  const [, status = '200', bytes = '0'] = (request.url ?? '').split('/')
  const answer = () => {
    const body = bodies.get(bytes) ?? makeBody(bytes)
    if (status === '304') response.writeHead(304).end()
    else
      response
        .writeHead(Number(status), { 'content-type': 'application/json', 'content-length': body.length })
        .end(body)
  }
  if (request.method === 'GET') return answer()
  request.on('data', () => {})
  request.on('end', answer)
})

const bodies = new Map<string, Buffer>()

function makeBody(bytes: string): Buffer {
  const body = Buffer.alloc(Number(bytes), 'x')
  bodies.set(bytes, body)
  return body
}

server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'))
process.on('SIGTERM', () => process.exit(0))
