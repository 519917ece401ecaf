import type { LookupAddress } from 'node:dns'
import { connect, type Socket } from 'node:net'
import { TemporaryFailure } from '../../provider.ts'
import { connectionProblem } from '../connection-problem.ts'
import { withDeadline } from '../deadline.ts'
import { type DestinationRules, findAddresses, pinnedTo } from '../destination.ts'

/** `timeoutMs` limits the DNS lookup and the connection together. */
interface SocketOptions extends DestinationRules {
  readonly host: string
  readonly port: number
  readonly timeoutMs: number
}

/**
 * Opens a TCP connection to a checked address. nodemailer itself would resolve the name once for the whole process and
 * connect without a check.
 * @throws TemporaryFailure
 */
export function openSocket({ host, port, timeoutMs, ...rules }: SocketOptions): Promise<Socket> {
  const late = `${host} did not accept the connection within ${timeoutMs / 1000} s`
  return withDeadline(null, timeoutMs, late, async (ends) => {
    const addresses = await findAddresses(host, rules, ends)
    return connected(host, port, addresses, ends)
  })
}

function connected(
  host: string,
  port: number,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ host, port, lookup: pinnedTo(addresses) })
  const giveUp = () => socket.destroy(signal.reason)
  const fail = (error: Error) => reject(new TemporaryFailure(`${host} ${connectionProblem(error)}`))
  signal.addEventListener('abort', giveUp)
  socket.once('error', fail)
  socket.once('connect', () => {
    signal.removeEventListener('abort', giveUp)
    socket.off('error', fail)
    resolve(socket)
  })
  return promise
}
