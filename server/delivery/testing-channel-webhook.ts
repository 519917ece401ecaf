import type { FastifyBaseLogger } from 'fastify'
import type { TestingChannelMessage } from '../../contract/system.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { Inbox, InboxEntry } from './inbox.ts'
import { isTaken } from './providers/http-failure.ts'
import { createOutboundHttp, type OutboundHttp } from './providers/outbound-http.ts'
import { openEntry } from './testing-channel.ts'

/** Tells a chat of every message that this process posts to the testing channel. */
export interface TestingChannelWebhook {
  /** Hears of nothing more, and lets what it has heard of go out while there is time. */
  stop(): Promise<void>
}

/** What the webhook works with. */
export interface TestingChannelWebhookOptions {
  /** Slack's, or anything that takes `{"text": "…"}`. Never logged: whoever knows it may post there. */
  readonly url: string
  readonly inbox: Inbox
  readonly keyring: Keyring
  readonly logger: FastifyBaseLogger
  /** The operator's own address, so it may be in a private network; 5 s for each post. */
  readonly http?: OutboundHttp
  /** Milliseconds that what is left may take to go out at the end. */
  readonly graceMs?: number
}

const mostAtOnce = 4
/** Past it messages are left out: they are in the inbox, and memory is for deliveries. */
const mostWaiting = 1_000

/**
 * Posts every message of the testing channel to a Slack-compatible webhook (design 8); outside production only. Begins
 * when a message is stored and its delivery is over, so it can hinder none. What fails is logged and not tried again.
 */
export function startTestingChannelWebhook(options: TestingChannelWebhookOptions): TestingChannelWebhook {
  const { url, inbox, keyring, logger, graceMs = 2_000 } = options
  const http = options.http ?? createOutboundHttp({ allowPrivate: true })
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

  /** One line for each time it is full, not for each message. */
  function leaveOut(): void {
    if (!isFull) logger.warn('the webhook of the testing channel is too slow: messages are left out')
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
    logger.warn({ messageId, tenantId, problem }, 'the webhook of the testing channel did not take a message')
  }

  /** What went wrong in words without the code, or null. */
  async function attempt(entry: InboxEntry): Promise<string | null> {
    const body = JSON.stringify({ text: slackText(openEntry(entry, keyring)) })
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const answer = await http.post(url, { headers, body }, ends.signal)
    // The answer's text may repeat what was posted.
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

/** Slack's three characters: or a template with `<!channel>` in it would call everybody. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
