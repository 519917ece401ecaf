import { useQueryClient } from '@tanstack/react-query'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useRemoval } from '../parts/dialogs/removal.ts'
import { toast } from '../parts/pages/toast.ts'
import { admin } from '../session/admin.ts'
import { useOperator } from '../session/session.tsx'
import { allOperators, type Operator } from './operators-queries.ts'

interface RevokeOperatorProps {
  readonly operator: Operator
  readonly onClose: () => void
}

/** Ends an operator's access at once. */
export function RevokeOperator({ operator: { id, name }, onClose }: RevokeOperatorProps) {
  const queries = useQueryClient()
  const remove = useRemoval()
  const isMe = useOperator()?.id === id
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title="Revoke the operator?"
      act="Revoke"
      isDestructive
      onConfirm={async () => {
        await remove(id, () => admin.revokeOperator({ operatorId: id }))
        toast('The operator is revoked.')
        await queries.invalidateQueries({ queryKey: allOperators })
      }}
    >
      The key and all console sessions of “<bdi>{name}</bdi>” end at once, and for ever. The operator stays in the list,
      because the activity names them.
      {isMe && ' This is you: you will be signed out.'}
    </Confirm>
  )
}
