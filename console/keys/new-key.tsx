import { Radio, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminOutputOf } from '../../packages/client/src/admin.ts'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { fieldErrorsOf } from '../parts/dialogs/form-errors.ts'
import { useIdempotencyKey } from '../parts/dialogs/idempotency-key.ts'
import { NameInput } from '../parts/dialogs/name-input.tsx'
import { localToIso } from '../parts/times/local-time.ts'
import { LocalTimeInput } from '../parts/times/local-time-input.tsx'
import { admin } from '../session/admin.ts'
import { keysOf, type TenantKey } from './keys-queries.ts'

interface NewKeyProps {
  readonly tenantId: string
  readonly onMade: (made: AdminOutputOf<'createTenantKey'>) => void
  readonly onClose: () => void
}

/** Makes a key. */
export function NewKey({ tenantId, onMade, onClose }: NewKeyProps) {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<TenantKey['kind']>('publishable')
  const [end, setEnd] = useState('')
  const idempotency = useIdempotencyKey()
  const create = useMutation({
    mutationFn: () => {
      const body = { name, kind, ...(end !== '' && { expiresAt: localToIso(end) }) }
      return admin.createTenantKey({ tenantId }, body, { idempotencyKey: idempotency.keyFor(body) })
    },
    onSuccess: (made) => {
      onClose()
      onMade(made)
      return queries.invalidateQueries({ queryKey: keysOf(tenantId) })
    },
  })
  const errors = fieldErrorsOf(create.error)
  return (
    <FormDialog
      title="New key"
      act="Create key"
      isPending={create.isPending}
      error={create.error}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <NameInput
        description="Who uses it, such as “web app” or “billing”."
        value={name}
        onChange={setName}
        error={errors['name']}
      />
      <Radio.Group label="Kind" value={kind} onChange={(value) => setKind(value as TenantKey['kind'])}>
        <Stack gap="xs" mt={6}>
          <Radio
            value="publishable"
            label="Publishable"
            description="May ship in an app or a web page. Anyone can read it there."
          />
          <Radio
            value="secret"
            label="Secret"
            description="Stays on a server, which may name the address of its user in X-Client-IP."
          />
        </Stack>
      </Radio.Group>
      <LocalTimeInput
        label="Ends"
        description="In your time zone. Empty: never."
        value={end}
        onChange={({ currentTarget }) => setEnd(currentTarget.value)}
        error={errors['expiresAt']}
      />
    </FormDialog>
  )
}
