/** Why a session ended. */
export type EndReason = 'signedOut' | 'expired'

/** The other tabs that share a session. */
export interface Tabs {
  /** Reports that the storage changed, and why a session ended. */
  announce(reason: EndReason | undefined): void
  close(): void
}

/** @param onChange called when another tab changed the storage, and when this page comes back from the history */
export function connectTabs(key: string, onChange: (reason?: EndReason) => void): Tabs | undefined {
  const channel = openChannel(key)
  if (channel === undefined) return undefined
  // `key` is null when the whole storage was cleared.
  const onEvent = ({ key: changed }: { key?: string | null }): void => {
    if ((changed ?? key) === key) onChange()
  }
  channel.onmessage = ({ data }) => onChange(data)
  addEventListener('storage', onEvent)
  // A page in the history receives neither.
  addEventListener('pageshow', onEvent as () => void)
  return {
    announce: (reason) => channel.postMessage(reason),
    close() {
      channel.close()
      removeEventListener('storage', onEvent)
      removeEventListener('pageshow', onEvent as () => void)
    },
  }
}

/** Undefined outside of browsers, and where the browser denies it, as Firefox does when site data is blocked. */
function openChannel(key: string): BroadcastChannel | undefined {
  try {
    return globalThis.location ? new BroadcastChannel(key) : undefined
  } catch {
    return undefined
  }
}
