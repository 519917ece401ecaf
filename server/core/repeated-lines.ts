/** At most one line of a kind is written in this time. */
const intervalMs = 5_000
/** Kinds remembered. One more clears them, so that varying messages cannot fill the memory. */
const mostKinds = 100

/**
 * Decides whether a log line of this kind is written: null to suppress it, else what the line says of those that were suppressed
 * since the last one.
 */
export type RepeatedLines = (kind: string) => { readonly suppressed?: number } | null

export function createRepeatedLines(now: () => number = () => performance.now()): RepeatedLines {
  const kinds = new Map<string, { since: number; suppressed: number }>()
  return (kind) => {
    const known = kinds.get(kind)
    if (known !== undefined && now() - known.since < intervalMs) {
      known.suppressed++
      return null
    }
    if (known === undefined && kinds.size >= mostKinds) kinds.clear()
    kinds.set(kind, { since: now(), suppressed: 0 })
    return known !== undefined && known.suppressed > 0 ? { suppressed: known.suppressed } : {}
  }
}
