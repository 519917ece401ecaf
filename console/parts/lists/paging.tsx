import { Button, Group, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useRef } from 'react'
import { actOf } from '../act-of.ts'
import { pageSizes, usePageSize } from './page-size.ts'

interface PagingProps {
  readonly cursor: string | undefined
  readonly nextCursor: string | null
  readonly isBusy: boolean
  readonly onCursor: (cursor: string | undefined) => void
}

/** Next goes on after the last row. Previous goes back over the pages seen; a link to a deep page has none. */
export function Paging({ cursor, nextCursor, isBusy, onCursor }: PagingProps) {
  const [size, setSize] = usePageSize()
  const pages = useRef<readonly (string | undefined)[]>([])
  // Where the list is among them, however it got there: the browser's Back leads to one of them, too.
  if (!pages.current.includes(cursor)) pages.current = [cursor]
  const at = pages.current.indexOf(cursor)
  const isFirst = at === 0
  function goOn(next: string): void {
    pages.current = [...pages.current.slice(0, at + 1), next]
    onCursor(next)
  }
  if (isFirst && nextCursor === null && cursor === undefined) return null
  return (
    <Group justify="space-between" p="sm" gap="sm" style={{ borderTop: '1px solid var(--line)' }}>
      <NativeSelect
        aria-label="Rows on a page"
        size="xs"
        value={String(size)}
        data={pageSizes.map((rows) => ({ value: String(rows), label: `${rows} rows` }))}
        onChange={({ currentTarget }) => {
          setSize(Number(currentTarget.value))
          onCursor(undefined)
        }}
      />
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconChevronLeft size={14} />}
          {...actOf(isFirst || isBusy ? undefined : () => onCursor(pages.current[at - 1]))}
        >
          Previous
        </Button>
        <Button
          size="xs"
          variant="default"
          rightSection={<IconChevronRight size={14} />}
          {...actOf(nextCursor === null || isBusy ? undefined : () => goOn(nextCursor))}
        >
          Next
        </Button>
      </Group>
    </Group>
  )
}
