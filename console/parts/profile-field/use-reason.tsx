import { Input } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** Why a field without a Mantine input is refused: what to show, and the property that has screen readers say it. */
export function useReason(error: string | undefined): {
  readonly reason: ReactNode
  readonly described: { readonly 'aria-describedby'?: string }
} {
  const id = useId()
  if (error === undefined) return { reason: null, described: {} }
  return { reason: <Input.Error id={id}>{error}</Input.Error>, described: { 'aria-describedby': id } }
}
