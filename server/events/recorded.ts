/** The relays of this process: one, except in tests. */
const relays = new Set<() => void>()

/** Calls `wake` with each event that this process records, possibly before it is committed; returns how to end that. */
export function onRecorded(wake: () => void): () => void {
  relays.add(wake)
  return () => relays.delete(wake)
}

export function noteRecorded(): void {
  for (const wake of relays) wake()
}
