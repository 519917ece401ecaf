import type { ReactNode } from 'react'
import classes from './rows.module.css'

/** A short list within a panel, without pages. */
export function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={classes['rows']} aria-label={label}>
      {children}
    </ul>
  )
}

/** A row, with its state or button at the end. */
export function Row({ children, act }: { readonly children: ReactNode; readonly act?: ReactNode }) {
  return (
    <li className={classes['row']}>
      <div className={classes['content']}>{children}</div>
      {act}
    </li>
  )
}
