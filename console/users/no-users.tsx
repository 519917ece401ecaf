import { Button } from '@mantine/core'
import { IconUsers, IconZoomCancel } from '@tabler/icons-react'
import { Empty } from '../parts/pages/empty.tsx'

interface NoUsersProps {
  readonly q: string | undefined
  readonly hasConditions: boolean
  readonly hasState: boolean
  readonly hasMore: boolean
  readonly onShowAll: () => void
}

/** What the list says without users. */
export function NoUsers({ q, hasConditions, hasState, hasMore, onShowAll }: NoUsersProps) {
  const act = (
    <Button variant="default" size="xs" onClick={onShowAll}>
      Show all users
    </Button>
  )
  if (hasMore)
    return (
      <Empty title="No match so far" Icon={IconZoomCancel}>
        Few users match. “Next” continues the search.
      </Empty>
    )
  if (q !== undefined) {
    return (
      <Empty title={`No user matches “${q}”`} Icon={IconZoomCancel} act={act}>
        Addresses, numbers and ids are compared from their beginning. Write numbers with + and the country code.
      </Empty>
    )
  }
  if (hasConditions) {
    return (
      <Empty title="No user has these values" Icon={IconZoomCancel} act={act}>
        Texts are compared without case. A field that is hidden from a user is not searched.
      </Empty>
    )
  }
  if (hasState) return <Empty title="No user is in this state" Icon={IconZoomCancel} act={act} />
  return (
    <Empty title="No users yet" Icon={IconUsers}>
      Users appear here when they sign up. Create one, or import a file.
    </Empty>
  )
}
