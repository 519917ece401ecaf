import type { FastifyBaseLogger } from 'fastify'
import type { TestingChannelMessage } from '../../contract/system.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { Inbox, InboxEntry } from './inbox.ts'
import { isTaken } from './providers/http-failure.ts'
import { createOutboundHttp } from './providers/outbound-http.ts'
import { openEntry } from './testing-channel.ts'

/** Posts this process's testing channel messages to a chat. */
export interface TestingChannelWebhook {
  /** Accepts no more messages and posts the waiting ones within `graceMs`. */
  stop(): Promise<void>
}

interface TestingChannelWebhookOptions {
  /** A webhook of Slack, or any that accepts `{"text": "…"}`. Never logged, because the URL authorizes posting. */
  readonly url: string
  readonly inbox: Inbox
  readonly keyring: Keyring
  readonly logger: FastifyBaseLogger
  /** The most milliseconds that `stop` waits for messages to be posted; 2 s by default. */
  readonly graceMs?: number
}

const mostAtOnce = 4
/** Further messages are skipped to limit memory; they remain in the inbox. */
const mostWaiting = 1_000

/**
 * Posts testing channel messages to a Slack-compatible webhook, outside production only. Runs after a message is stored,
 * so it cannot delay delivery. Failures are logged and not retried.
 */
export function startTestingChannelWebhook({
  url,
  inbox,
  keyring,
  logger,
  graceMs = 2_000,
}: TestingChannelWebhookOptions): TestingChannelWebhook {
  // It may be in a private network, because the operator configures the URL.
  const http = createOutboundHttp({ allowPrivate: true })
  const waiting: InboxEntry[] = []
  const ends = new AbortController()
  let active = 0
  let isFull = false
  let whenIdle = () => {}

  const unwatch = inbox.watch((posted) => {
    for (const entry of posted) {
      if (waiting.length < mostWaiting) waiting.push(entry)
      else leaveOut()
    }
    fill()
  })

  /** Logs once until the queue is empty, not for each message. */
  function leaveOut(): void {
    if (!isFull) logger.warn('testing channel webhook is too slow; messages are skipped')
    isFull = true
  }

  function fill(): void {
    while (active < mostAtOnce) {
      const entry = waiting.shift()
      if (entry === undefined) break
      active++
      void post(entry).then(() => {
        active--
        fill()
      })
    }
    if (waiting.length === 0) isFull = false
    if (active === 0) whenIdle()
  }

  async function post(entry: InboxEntry): Promise<void> {
    const problem = await attempt(entry).catch((error: unknown) => (error instanceof Error ? error.message : 'failed'))
    if (problem === null) return
    const { id: messageId, tenantId } = entry
    logger.warn({ messageId, tenantId, problem }, 'failed to post a message to the testing channel webhook')
  }

  /** The problem without the code; null on success. */
  async function attempt(entry: InboxEntry): Promise<string | null> {
    const body = JSON.stringify({ text: slackText(openEntry(entry, keyring)) })
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const answer = await http.post(url, { headers, body }, ends.signal)
    // The response body may quote the message.
    return isTaken(answer) ? null : `It answered ${answer.status}`
  }

  return {
    async stop() {
      unwatch()
      if (active === 0) return
      const { promise: idle, resolve } = Promise.withResolvers<void>()
      whenIdle = resolve
      const late = setTimeout(() => {
        waiting.length = 0
        ends.abort()
      }, graceMs)
      await idle
      clearTimeout(late)
    },
  }
}

function slackText({ tenantId, recipient, scope, code, text }: TestingChannelMessage): string {
  const what = `${scope ?? 'notice'} for ${recipient} (tenant ${tenantId})`
  return escapeSlack(`${code === null ? what : `${what}: ${code}`}\n${text}`)
}

/** Otherwise a template with `<!channel>` would notify everyone in the channel. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
