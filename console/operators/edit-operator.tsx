import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { fieldErrorsOf } from '../parts/dialogs/form-errors.ts'
import { useIdempotencyKey } from '../parts/dialogs/idempotency-key.ts'
import { toast } from '../parts/pages/toast.ts'
import { admin } from '../session/admin.ts'
import { useOperator } from '../session/session.tsx'
import { bodyOf, changesOf, draftOf, newDraft } from './operator-draft.ts'
import { OperatorFields } from './operator-fields.tsx'
import { allOperators, type Operator } from './operators-queries.ts'

interface EditOperatorProps {
  /** The operator to change; null for a new one. */
  readonly operator: Operator | null
  /** Called with the key of a new operator. */
  readonly onMade: (key: string) => void
  readonly onClose: () => void
}

/** Makes or changes an operator. */
export function EditOperator({ operator, onMade, onClose }: EditOperatorProps) {
  const queries = useQueryClient()
  const me = useOperator()
  const [draft, setDraft] = useState(() => (operator === null ? newDraft(me?.tenantIds ?? null) : draftOf(operator)))
  const idempotency = useIdempotencyKey()
  const save = useMutation({
    mutationFn: async () => {
      if (operator === null) {
        const body = bodyOf(draft)
        const { key } = await admin.createOperator(body, { idempotencyKey: idempotency.keyFor(body) })
        onMade(key)
      } else {
        const path = { operatorId: operator.id }
        await admin.updateOperator(path, changesOf(operator, draft, await admin.getOperator(path)))
        toast('The operator is changed.')
      }
    },
    // One of its tenants may be deleted.
    onError: () => void queries.invalidateQueries({ queryKey: ['getTenant'] }),
    onSuccess: () => {
      onClose()
      return queries.invalidateQueries({ queryKey: allOperators })
    },
  })
  return (
    <FormDialog
      title={operator === null ? 'New operator' : 'Change the operator'}
      act={operator === null ? 'Create operator' : 'Save'}
      size="lg"
      isPending={save.isPending}
      error={save.error}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <OperatorFields draft={draft} onChange={setDraft} errors={fieldErrorsOf(save.error)} />
    </FormDialog>
  )
}
