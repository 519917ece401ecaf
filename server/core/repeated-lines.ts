/** At most one line of a kind in this time, in milliseconds. */
const intervalMs = 5_000
/** Kinds remembered; one more starts over, so that messages that differ each time fill no memory. */
const mostKinds = 100

/**
 * Decides which of many equal log lines are written. Called with the kind of a line; returns null when it is to be left
 * out, else how many of its kind were left out since the last one.
 */
export type RepeatedLines = (kind: string) => number | null

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
    return known?.suppressed ?? 0
  }
}
