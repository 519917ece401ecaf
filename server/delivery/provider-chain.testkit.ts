import { manualClock } from '../../test/support/manual-clock.ts'
import { renderedEmail } from '../../test/support/peers/rendered-message.ts'
import { PermanentFailure, type Provider, TemporaryFailure } from './provider.ts'
import { ProviderChain } from './provider-chain.ts'

export type Answer = (signal: AbortSignal) => Promise<void>

export const yes: Answer = async () => {}
export const no: Answer = () => Promise.reject(new PermanentFailure('550 no such user'))
export const later: Answer = () => Promise.reject(new TemporaryFailure('421 busy'))
/** As providers do: until the signal says that it was enough. */
export const hang: Answer = (signal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new TemporaryFailure('did not answer in time')))
  })

/** A chain over providers that answer so, one a name, and the names of those that were asked. */
export function chainOf(answers: Record<string, Answer>, ms?: number, connections?: number) {
  const asked: string[] = []
  const clock = manualClock(1_000)
  const providers = Object.keys(answers).map(
    (name): Provider => ({
      name,
      method: 'email',
      ...(connections !== undefined && { connections }),
      send(_message, signal) {
        asked.push(name)
        return answers[name]!(signal)
      },
      async close() {},
    }),
  )
  const chain = new ProviderChain(providers, clock, ms)
  return { asked, clock, chain, send: () => chain.send(renderedEmail()) }
}
