import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { ListedRow } from './listed-row.ts'

interface RowListProps {
  /** What the rows are, for screen readers. */
  readonly label: string
  readonly rows: readonly ListedRow[]
  /** Left out where the order cannot be changed. */
  readonly onMove?: ((from: number, to: number) => void) | undefined
}

/** Dragging is larger than most screens: its code is loaded beside them. */
const sortable = import('../ordering/sortable-list.tsx')
const SortableList = lazy(async () => ({ default: (await sortable).SortableList }))

const rowHeight = 62

/** A few rows in an order that means something. */
export function RowList({ label, rows, onMove }: RowListProps) {
  if (onMove === undefined || rows.length < 2)
    return (
      <ol className="row-list" aria-label={label}>
        {rows.map(({ id, content }) => (
          <li key={id} className="quiet-row">
            {content}
          </li>
        ))}
      </ol>
    )
  return (
    // Not the rows themselves: a menu that is opened meanwhile would close.
    <Suspense fallback={<Skeleton height={rows.length * rowHeight} radius="md" aria-busy />}>
      <SortableList label={label} rows={rows} onMove={onMove} />
    </Suspense>
  )
}
