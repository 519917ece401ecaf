import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from './page.tsx'

/** Shown at an address without a screen. */
export function PageNotFound(): ReactNode {
  return (
    <NotFound title="Page not found">
      <Anchor component={Link} to="/tenants">
        Go to the tenants
      </Anchor>
    </NotFound>
  )
}

/** Shown when what the address names does not exist; `children` is the way back. */
export function NotFound({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Page title={title} width="narrow">
      <Text c="dimmed" mb="sm">
        It may have been deleted, or the address is incomplete.
      </Text>
      {children}
    </Page>
  )
}
