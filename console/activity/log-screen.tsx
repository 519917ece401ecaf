import { Page } from '../parts/pages/page.tsx'
import type { LogOf } from './activity-queries.ts'
import { EventLog } from './event-log.tsx'
import type { LogSearch } from './log-search.ts'
import { LogTools } from './log-tools.tsx'

interface LogScreenProps {
  readonly tenantId: LogOf
  readonly about: string
  readonly search: LogSearch
  /** Goes to the same screen with another search. */
  readonly visit: (options: {
    readonly search: LogSearch
    readonly resetScroll: boolean
    readonly replace?: true
  }) => unknown
}

/** The activity of a tenant or of the deployment, with what proves it. */
export function LogScreen({ tenantId, about, search, visit }: LogScreenProps) {
  return (
    <Page title="Activity" about={about} actions={<LogTools tenantId={tenantId} />}>
      <EventLog
        tenantId={tenantId}
        search={search}
        // Another page begins at its top.
        onSearch={(next, replace) =>
          visit({ search: next, resetScroll: next.cursor !== search.cursor, ...(replace && { replace }) })
        }
      />
    </Page>
  )
}
