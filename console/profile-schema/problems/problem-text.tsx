import { Input } from '@mantine/core'
import { counted } from '../../parts/counted.ts'
import { State } from '../../parts/state.tsx'
import { useProblemProps } from './problem-context.tsx'

interface ProblemTextProps {
  readonly at: string
  readonly id?: string
  /** A control has the address, and this text describes it. */
  readonly isNote?: true
}

/** The problem of a group of controls, or of a control that shows none. */
export function ProblemText({ at, id, isNote }: ProblemTextProps) {
  const { error, 'data-control': control } = useProblemProps()(at)
  if (error === undefined) return null
  return (
    <Input.Error {...(id !== undefined && { id })} {...(!isNote && { 'data-control': control, tabIndex: -1 })}>
      {error}
    </Input.Error>
  )
}

/** How many problems a closed row contains. */
export function ProblemState({ count }: { readonly count: number }) {
  return count === 0 ? null : <State tone="bad">{counted(count, 'problem')}</State>
}
