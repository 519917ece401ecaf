import { ScrollArea, Skeleton, Table, type TableThProps, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Empty } from '../pages/empty.tsx'
import { Problem } from '../pages/problem.tsx'
import { useIsSlow } from '../pages/slow.ts'
import { Found, type Search } from './found.tsx'
import type { ListPage } from './list-page.ts'
import type { PageSize } from './page-size.ts'
import { Paging } from './paging.tsx'
import { useRowKeys } from './row-keys.ts'

export interface Column<Row> {
  readonly header: string
  /** The header is for screen readers only, as that of a column of buttons. */
  readonly hidesHeader?: true
  readonly cell: (row: Row) => ReactNode
  /** With a large text, the other columns would leave a phone two letters of it: the table scrolls instead. */
  readonly isName?: true
  /** Its cells are numbers, which stand below each other by their digits. */
  readonly isNumber?: true
  /** From this width of the screen on. The first columns are always visible. */
  readonly visibleFrom?: 'xs' | 'sm' | 'md' | 'lg' | 'xl'
  readonly width?: TableThProps['w']
}

interface ListProps<Row> {
  /** What the rows are, for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** Its key names the search and the cursor; use `placeholderData: keepPreviousData`. */
  readonly query: UseQueryResult<ListPage<Row>>
  readonly keyOf: (row: Row) => string
  /** Shown in place of the query's items: with what arrived since. */
  readonly rows?: readonly Row[] | undefined
  /** Whether a row arrived while the list was shown; it is highlighted for a moment. */
  readonly isNew?: (row: Row) => boolean
  /** Shown instead of rows, except after the last page that has some. */
  readonly empty: ReactNode
  /** The cursor of the page shown, from the URL, and how to change it. Left out for lists without pages. */
  readonly cursor?: string | undefined
  readonly onCursor?: (cursor: string | undefined) => void
  /** For a dialog: what is remembered is that of the list behind, too. */
  readonly pageSize?: PageSize
  /** Above the rows: search and filters. */
  readonly tools?: ReactNode
  /** What they search for, for the announcement of its result. */
  readonly search?: Search
}

const nameMinWidth = 120

/** The one table of the console. The link in a row's first cell (`className="row-link"`) covers the row. */
export function List<Row>(props: ListProps<Row>) {
  const { label, columns, query, keyOf, isNew, empty, cursor, onCursor, tools, search } = props
  const isSlow = useIsSlow(query.isPending && query.fetchStatus === 'fetching')
  const rows = props.rows ?? query.data?.items
  const isAfterLast = cursor !== undefined && query.data?.nextCursor === null
  const table = useRowKeys<HTMLTableElement>()
  return (
    <div className="panel">
      {tools !== undefined && <div style={{ padding: 12 }}>{tools}</div>}
      {query.isError && (
        <div style={{ padding: 12 }}>
          <Problem error={query.error} retry={() => void query.refetch()} namesValues />
        </div>
      )}
      <div role="status">
        <Found search={{ what: search?.what ?? 'row', by: { ...search?.by, cursor } }} query={query} />
        {rows?.length === 0 && (isAfterLast ? <Empty title="No more rows">Some may have been deleted.</Empty> : empty)}
      </div>
      {rows?.length === 0 || (rows === undefined && query.isError) ? null : (
        <ScrollArea type="auto">
          <Table
            ref={table}
            aria-label={label}
            aria-busy={query.isFetching}
            verticalSpacing="sm"
            horizontalSpacing="md"
            borderColor="var(--line)"
          >
            <Table.Thead>
              <Table.Tr>
                {columns.map(({ header, hidesHeader, isName, isNumber, visibleFrom, width }) => (
                  <Table.Th
                    key={header}
                    visibleFrom={visibleFrom}
                    w={width}
                    miw={isName && nameMinWidth}
                    ta={isNumber && 'end'}
                    fz="xs"
                    c="dimmed"
                    scope="col"
                  >
                    {hidesHeader ? <VisuallyHidden>{header}</VisuallyHidden> : header}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}>
              {rows?.map((row) => (
                <Table.Tr key={keyOf(row)} mod={{ new: isNew?.(row) }}>
                  {columns.map(({ header, cell, isNumber, visibleFrom }) => (
                    <Table.Td
                      key={header}
                      visibleFrom={visibleFrom}
                      {...(isNumber && { ta: 'end', className: 'figures' })}
                    >
                      {cell(row)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
              {isSlow && <SkeletonRows columns={columns} />}
            </Table.Tbody>
          </Table>
        </ScrollArea>
      )}
      {onCursor !== undefined && (
        <Paging
          list={label}
          cursor={cursor}
          nextCursor={query.data?.nextCursor ?? null}
          isBusy={query.isPlaceholderData}
          onCursor={onCursor}
          pageSize={props.pageSize}
        />
      )}
    </div>
  )
}

function SkeletonRows<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return Array.from({ length: 8 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike
    <Table.Tr key={row} aria-hidden>
      {columns.map(({ header, visibleFrom }) => (
        <Table.Td key={header} visibleFrom={visibleFrom}>
          <Skeleton height={14} my={6} width={`${45 + ((row * 17) % 40)}%`} />
        </Table.Td>
      ))}
    </Table.Tr>
  ))
}
