import { errors } from '../contract/errors.ts'
import { TenantryConnectionError } from '../packages/client/src/admin.ts'
import { linesIn } from './terminal/lines.ts'
import { CommandFailure } from './terminal/terminal.ts'

/** A server-sent event with an id. */
interface ServerEvent {
  readonly id: string
  readonly data: string
}

interface StreamOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly onOpen: () => void
}

/** The code of an error answer; null for one of a proxy. */
async function codeOf(response: Response): Promise<string | null> {
  const body = (await response.json().catch(() => null)) as { readonly error?: { readonly code?: string } } | null
  return body?.error?.code ?? null
}

/** How long a stream may be silent; the server sends a comment every 15 seconds. */
const silenceMs = 45_000

/**
 * Reads a stream of server-sent events, as Tenantry writes it: `id`, `event` and `data` with one line each.
 * @throws TenantryConnectionError if there is no server or the stream breaks off; CommandFailure if the server refuses
 */
export async function* readEvents(
  url: URL,
  { headers, signal, onOpen }: StreamOptions,
): AsyncGenerator<ServerEvent, void> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), silenceMs)
  try {
    const response = await fetch(url, {
      headers,
      redirect: 'error',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    // While it stops or starts, the server or its proxy answers 5xx.
    if (response.status >= 500) {
      const code = await codeOf(response)
      if (code === 'EVENT_LOG_DAMAGED') throw new CommandFailure(errors[code].message)
      throw new TenantryConnectionError(`${url.origin} responded with ${response.status}`)
    }
    if (!response.ok || response.body === null) {
      throw new CommandFailure(`${url.origin} refused the stream: HTTP status ${response.status}.`)
    }
    onOpen()
    let event: Record<string, string> = {}
    for await (const line of linesIn(response.body, () => timer.refresh())) {
      // With `s`, because JSON has U+2028 and U+2029 as they are, which `.` does not match otherwise.
      const [, field, value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
      if (field !== undefined) event[field] = value
      else if (line === '') {
        if (event['id'] !== undefined && event['data'] !== undefined) yield { id: event['id'], data: event['data'] }
        event = {}
      }
    }
  } catch (error) {
    // `fetch` and its body fail with a TypeError, and with an AbortError after a silence.
    const isBroken = error instanceof TypeError || silence.signal.aborted
    throw isBroken ? new TenantryConnectionError(`No stream from ${url.origin}`, { cause: error }) : error
  } finally {
    clearTimeout(timer)
  }
}
