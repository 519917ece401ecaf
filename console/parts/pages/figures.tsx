import { Paper, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './figures.module.css'

const count = new Intl.NumberFormat('en')

/** Figures side by side; on a phone two in a row, and a last one alone is as wide as two. */
export function Figures({ children }: { readonly children: ReactNode }) {
  return <dl className={`figures ${classes['figures']}`}>{children}</dl>
}

interface FigureProps {
  readonly name: string
  /** undefined while it is read, null when it cannot be known. */
  readonly value: number | null | undefined
  /** Below the number, such as a part of it. */
  readonly note?: ReactNode
}

export function Figure({ name, value, note }: FigureProps) {
  return (
    <Paper className="panel" px="md" py="sm" component="div">
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} fz={28} lh={1.3} fw={650}>
        {value === undefined ? <Skeleton height={24} my={6} width={64} /> : value === null ? '–' : count.format(value)}
      </Text>
      <Text component="dd" m={0} size="xs" c="dimmed" mih="1.4em">
        {note}
      </Text>
    </Paper>
  )
}
