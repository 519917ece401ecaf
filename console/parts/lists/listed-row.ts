import type { ReactNode } from 'react'

export interface ListedRow {
  /** Stays the same when the row moves. */
  readonly id: string
  /** What announcements call it. */
  readonly title: string
  readonly content: ReactNode
}
