import { useState } from 'react'
import { moved } from './moved.ts'

interface Moves {
  /** A key of each item. */
  readonly keys: readonly number[]
  readonly move: (from: number, to: number) => void
}

/** Moves items that nothing tells apart but their place. Their keys move with them, and so the focus stays on what moved. */
export function useMoves<T>(items: readonly T[], onChange: (items: readonly T[]) => void): Moves {
  const [order, setOrder] = useState<readonly number[]>([])
  // Keys of items that are gone stay at its end, for the next ones.
  const keys = Array.from({ length: Math.max(order.length, items.length) }, (_, index) => order[index] ?? index)
  return {
    keys,
    move(from, to) {
      setOrder(moved(keys, from, to))
      onChange(moved(items, from, to))
    },
  }
}
