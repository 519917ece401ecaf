import type { ReactNode } from 'react'
import classes from './state.module.css'

/** A state as a word on a tint. The tints are ours, because those of Mantine's light badges miss 4.5 : 1. */
export function State({
  tone,
  children,
}: {
  readonly tone: 'good' | 'warn' | 'bad' | 'info' | 'quiet'
  readonly children: ReactNode
}) {
  return <span className={`${classes['state']} ${classes[tone]}`}>{children}</span>
}
