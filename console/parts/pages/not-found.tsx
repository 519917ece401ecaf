import { Button } from '@mantine/core'
import { IconError404 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Empty } from './empty.tsx'
import { Page } from './page.tsx'

/** Shown at an address without a screen. */
export const PageNotFound = (): ReactNode => (
  <NotFound title="Page not found" why="The address may be incomplete, or out of date.">
    <Button variant="default" component={Link} to="/">
      Go to the overview
    </Button>
  </NotFound>
)

interface NotFoundProps {
  readonly title: string
  readonly why?: string
  /** What is missing is the tenant itself. */
  readonly isOfTenant?: true
  /** The way back. */
  readonly children: ReactNode
}

/** Shown when what the address names does not exist. */
export function NotFound({
  title,
  why = 'It may have been deleted, or the address is incomplete.',
  isOfTenant,
  children,
}: NotFoundProps) {
  return (
    <Page title={title} {...(isOfTenant && { isOfTenant })}>
      <div className="panel">
        <Empty title={why} Icon={IconError404} act={children} />
      </div>
    </Page>
  )
}
