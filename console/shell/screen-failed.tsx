import { Text } from '@mantine/core'
import { type ErrorComponentProps, useLocation, useParams, useRouter } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { TenantryAnswerError, TenantryConnectionError } from '../../packages/client/src/errors.ts'
import { isLoadError, LoadError } from '../parts/pages/load-file.ts'
import { Page } from '../parts/pages/page.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { screenAt } from './screens.ts'

/** Stands in the place of all screens while a slow server has not said who is signed in. */
export const SessionAwaited = (): ReactNode => (
  <Text role="status" p="xl" c="dimmed">
    Waiting for the server…
  </Text>
)

/** Stands in the place of all screens when it is not known who is signed in. */
export function SessionUnknown({ error }: ErrorComponentProps): ReactNode {
  const router = useRouter()
  return <Problem error={error} retry={() => void router.invalidate()} />
}

/** Stands in the place of a screen that was not loaded or failed. The bar and the navigation stay. */
export function ScreenFailed({ error }: ErrorComponentProps): ReactNode {
  const { tenantId } = useParams({ strict: false })
  const { pathname } = useLocation()
  const router = useRouter()
  return (
    <Page title={screenAt(pathname, tenantId)?.label ?? 'Console'} key={pathname}>
      {isLoadError(error) ? <NotLoaded /> : <Problem error={error} retry={() => void router.invalidate()} />}
    </Page>
  )
}

/** Loads the page again, which knows the names of the files, as soon as the server answers: once by itself, then when asked. */
function NotLoaded() {
  const [problem, setProblem] = useState<unknown>(null)
  const open = useCallback(async (isAsked: boolean) => {
    try {
      await requestPage()
      if (isFirstReload() || isAsked) location.reload()
      else setProblem(new LoadError())
    } catch (noAnswer) {
      setProblem(noAnswer)
    }
  }, [])
  useEffect(() => void open(false), [open])
  return problem !== null && <Problem error={problem} retry={() => void open(true)} />
}

const page = '/console/'
const timeoutMs = 10_000

async function requestPage(): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(page, { cache: 'no-store', signal }).catch((cause: unknown) => {
    throw new TenantryConnectionError('The server did not answer', { cause })
  })
  if (!response.ok) throw new TenantryAnswerError(response, await response.text(), new URL(page, location.origin))
}

/** Where the page was loaded again last. */
const reloadedKey = 'tenantry.reloaded'

/** Whether the page was not loaded again at this address yet: an address whose files are missing is not reloaded forever. */
function isFirstReload(): boolean {
  const isFirst = sessionStorage.getItem(reloadedKey) !== location.href
  sessionStorage.setItem(reloadedKey, location.href)
  return isFirst
}
