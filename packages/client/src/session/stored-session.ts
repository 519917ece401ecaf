import type { SessionAnswer } from '../generated/types.ts'

/** A session as it is stored: the answer that started it, with the access token that it has now. */
export interface StoredSession extends SessionAnswer {
  /** When the access token was received by the local clock, in epoch milliseconds; the service's clock may differ. */
  readonly receivedAt: number
}

/** The access token is refreshed this long before it expires. */
const marginMs = 30_000

/** Whether the access token can be used. A clock that was set back makes the time of receipt lie in the future. */
export function isUsable({ receivedAt, expiresIn }: StoredSession): boolean {
  const age = Date.now() - receivedAt
  return age >= 0 && age < expiresIn * 1000 - marginMs
}

/** Reads a stored text; null if it does not contain a session. */
export function parseSession(text: string | null | undefined): StoredSession | null {
  try {
    const session = JSON.parse(text!)
    const { accessToken, refreshToken, receivedAt, expiresIn, user } = session
    const texts = [accessToken, refreshToken, user.id]
    return texts.every((value) => typeof value === 'string') && Number.isFinite(receivedAt + expiresIn) ? session : null
  } catch {
    return null
  }
}
