import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Linux assigns ports from here on when a program asks for any port, so those below are not taken by chance. */
export const firstGivenPort = 32_768

/** A port of the loopback that was free a moment ago, for a server that takes its port as a setting. */
export async function freePort(below = firstGivenPort): Promise<number> {
  const port = randomInt(10_000, below)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
  return isFree ? port : freePort(below)
}
