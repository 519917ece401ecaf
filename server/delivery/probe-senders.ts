import type { SenderAttempt } from '../../contract/admin-delivery.ts'
import type { Probed } from './message-transport.ts'
import { PermanentFailure, type Provider, type RenderedMessage, TemporaryFailure } from './provider.ts'

/**
 * Sends the message through every sender, or through the one of that name, all at once: each is asked whatever the
 * others said, because a second sender is never asked in earnest before the day it is needed.
 * @param offer sends through one; rejects with `PermanentFailure` or `TemporaryFailure`
 */
export async function probeSenders(
  senders: readonly Provider[],
  rendered: RenderedMessage,
  only: string | null,
  offer: (sender: Provider, message: RenderedMessage) => Promise<void>,
): Promise<Probed> {
  const tried = senders.filter(({ name }) => only === null || name === only)
  if (tried.length === 0) return { attempts: [], problem: noneTried(senders, rendered) }
  const probe = async (sender: Provider, place: number): Promise<SenderAttempt> => {
    // A mailbox that shows messages of one id once would hide that two senders work.
    const message = { ...rendered, id: `${rendered.id}-${place + 1}` }
    const problem = await offer(sender, message).then(() => null, inWords)
    return { sender: sender.name, problem }
  }
  return { attempts: await Promise.all(tried.map(probe)), problem: null }
}

function noneTried(senders: readonly Provider[], { method }: RenderedMessage): string {
  if (senders.length === 0) return `No sender of ${method} is set up`
  return `No sender of ${method} has this name. There are: ${senders.map(({ name }) => name).join(', ')}`
}

function inWords(error: unknown): string {
  if (error instanceof PermanentFailure || error instanceof TemporaryFailure) return error.message
  throw error
}
