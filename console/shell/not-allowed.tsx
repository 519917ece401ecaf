import { Code } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useLocation, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Empty } from '../parts/pages/empty.tsx'
import { Page } from '../parts/pages/page.tsx'
import { useCan } from '../session/session.tsx'
import { screenAt, useMayVisit } from './screens.ts'

/** Shows a screen to operators who may see it. Others learn what they lack, without a request that the API refuses. */
export function IfAllowed({ children }: { readonly children: ReactNode }): ReactNode {
  const { tenantId } = useParams({ strict: false })
  const { pathname } = useLocation()
  const mayVisit = useMayVisit()
  const can = useCan()
  const screen = screenAt(pathname, tenantId)
  if (screen === undefined || mayVisit(screen, tenantId)) return children
  const { label, scope } = screen
  return (
    <Page title={label} key={pathname}>
      <div className="panel">
        <Empty title="You may not see this screen" Icon={IconLock}>
          {scope !== 'any' && !can(scope) ? (
            <>
              It requires the scope <Code>{scope}</Code>. An operator who administers operators can grant it.
            </>
          ) : tenantId === undefined ? (
            'It is for operators of the whole deployment; you are bound to some tenants.'
          ) : (
            'This tenant is not among the tenants that you are bound to.'
          )}
        </Empty>
      </div>
    </Page>
  )
}
