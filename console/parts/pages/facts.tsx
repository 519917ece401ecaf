import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** Names and values. Where it is narrow, as on a phone, each value stands below its name. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={classes['facts']}>{children}</dl>
}

/** One of the `Facts`. */
export function Fact({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <dt dir="auto">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
