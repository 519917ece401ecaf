import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Column, List } from '../lists/list.tsx'
import type { ListPage } from '../lists/list-page.ts'

interface CredentialListProps<C> {
  /** What they are, such as "Keys". */
  readonly label: string
  readonly columns: readonly Column<C>[]
  /** What can be done with one; null for an operator who may only read. */
  readonly menu: ((credential: C) => ReactNode) | null
  readonly query: UseQueryResult<ListPage<C>>
  readonly cursor: string | undefined
  readonly onCursor: (cursor: string | undefined) => void
  readonly empty: ReactNode
}

/** A page of keys or operators, with a menu at the end of each row. */
export const CredentialList = <C extends { readonly id: string }>({
  columns,
  menu,
  ...list
}: CredentialListProps<C>) => (
  <List
    {...list}
    columns={menu === null ? columns : [...columns, { header: 'Actions', hidesHeader: true, width: 56, cell: menu }]}
    keyOf={({ id }) => id}
  />
)
