import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldErrorsOf } from '../parts/form-errors.ts'
import { useIdempotencyKey } from '../parts/idempotency-key.ts'
import { Problem } from '../parts/problem.tsx'
import { toast } from '../parts/toast.ts'
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
        await admin.updateOperator({ operatorId: operator.id }, changesOf(operator, draft))
        toast('The operator is changed.')
      }
    },
    onSuccess: () => {
      onClose()
      return queries.invalidateQueries({ queryKey: allOperators })
    },
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={<Text fw={650}>{operator === null ? 'New operator' : 'Change the operator'}</Text>}
      size="lg"
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <OperatorFields draft={draft} onChange={setDraft} errors={fieldErrorsOf(save.error)} />
          {save.isError && <Problem error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              {operator === null ? 'Make the operator' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
