/** A page of a list, as the API answers it. */
export interface ListPage<Row> {
  readonly items: readonly Row[]
  readonly nextCursor: string | null
}
