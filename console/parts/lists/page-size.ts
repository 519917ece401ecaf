import { useLocalStorage } from '@mantine/hooks'

export const pageSizes = [50, 100, 200] as const

/** Rows on a page, and how to change them. */
export type PageSize = readonly [number, (size: number) => void]

/** Rows on a page of a list, remembered in this browser. */
export function usePageSize(): PageSize {
  const [stored, setStored] = useLocalStorage({
    key: 'tenantry.page-size',
    defaultValue: 50,
    getInitialValueInEffect: false,
  })
  return [pageSizes.includes(stored as 50) ? stored : 50, setStored]
}
