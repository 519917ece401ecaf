import { Button, Group, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { actOf } from '../act-of.ts'
import { type PageSize, pageSizes, usePageSize } from './page-size.ts'

interface PagingProps {
  /** Its label: a dialog can show another list above it. */
  readonly list: string
  readonly cursor: string | undefined
  readonly nextCursor: string | null
  readonly isBusy: boolean
  readonly onCursor: (cursor: string | undefined) => void
  readonly pageSize: PageSize | undefined
}

/** The pages seen of each list, also while a row of it is visited. A cursor belongs to one list. */
const seen = new Map<string, readonly (string | undefined)[]>()

/** Next goes on after the last row. Previous goes back over the pages seen; from a link to a deep page, to the first one. */
export function Paging({ list, cursor, nextCursor, isBusy, onCursor, pageSize }: PagingProps) {
  const remembered = usePageSize()
  const [size, setSize] = pageSize ?? remembered
  // Where the list is among them, however it got there: the browser's Back leads to one of them, too.
  const known = seen.get(list) ?? []
  const pages = known.includes(cursor) ? known : [cursor]
  seen.set(list, pages)
  const at = pages.indexOf(cursor)
  const isFirst = cursor === undefined
  function goOn(next: string): void {
    seen.set(list, [...pages.slice(0, at + 1), next])
    onCursor(next)
  }
  if (isFirst && nextCursor === null) return null
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
          {...actOf(isFirst || isBusy ? undefined : () => onCursor(pages[at - 1]))}
        >
          {at === 0 && !isFirst ? 'First page' : 'Previous'}
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
