import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Linux gives the ports from here on to whoever asks for any; on the others nobody starts to listen by chance. */
const firstGivenPort = 32_768

/** A port of the loopback that was free a moment ago, for a server that is told its port. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, firstGivenPort)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
  return isFree ? port : freePort()
}
