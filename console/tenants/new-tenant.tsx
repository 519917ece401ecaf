import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { UseKey } from '../keys/use-key.tsx'
import { NewSecret } from '../parts/credentials/new-secret.tsx'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { fieldErrorsOf } from '../parts/dialogs/form-errors.ts'
import { useIdempotencyKey } from '../parts/dialogs/idempotency-key.ts'
import { NameInput } from '../parts/dialogs/name-input.tsx'
import { admin } from '../session/admin.ts'
import { useCan } from '../session/session.tsx'

const firstKey = { name: 'first app', kind: 'publishable' } as const

/** Makes a tenant with its first key, which is shown once; then leads to the tenant. */
export function NewTenant() {
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<{ readonly tenantId: string; readonly key: string } | null>(null)
  const navigate = useNavigate()
  // The key was copied or given up.
  const visit = (tenantId: string) =>
    void navigate({ to: '/tenants/$tenantId', params: { tenantId }, ignoreBlocker: true })
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
        New tenant
      </Button>
      {isOpen && (
        <TenantForm
          onClose={() => setOpen(false)}
          onMade={(tenantId, key) => {
            setOpen(false)
            if (key === null) visit(tenantId)
            else setMade({ tenantId, key })
          }}
        />
      )}
      <NewSecret
        value={made?.key ?? null}
        title="The tenant’s first key"
        what="key"
        onClose={() => {
          const { tenantId } = made!
          setMade(null)
          visit(tenantId)
        }}
      >
        {made !== null && <UseKey tenantKey={made.key} kind="publishable" />}
      </NewSecret>
    </>
  )
}

interface TenantFormProps {
  readonly onMade: (tenantId: string, key: string | null) => void
  readonly onClose: () => void
}

function TenantForm({ onMade, onClose }: TenantFormProps) {
  const queries = useQueryClient()
  const can = useCan()
  const [name, setName] = useState('')
  const [tenantKey, keyKey] = [useIdempotencyKey(), useIdempotencyKey()]
  // The tenant may be there although its key was refused, or an answer lost. Another name is then its new one.
  const sentName = useRef<string | null>(null)
  const create = useMutation({
    mutationFn: async () => {
      sentName.current ??= name
      const body = { name: sentName.current }
      const { id: tenantId } = await admin
        .createTenant(body, { idempotencyKey: tenantKey.keyFor(body) })
        .catch((error: unknown) => {
          if (fieldErrorsOf(error)['name'] !== undefined) sentName.current = null
          throw error
        })
      if (body.name !== name) await admin.updateTenant({ tenantId }, { name })
      if (!can('keys:write')) return { tenantId, key: null }
      const idempotencyKey = keyKey.keyFor({ tenantId, ...firstKey })
      return { tenantId, key: (await admin.createTenantKey({ tenantId }, firstKey, { idempotencyKey })).key }
    },
    onSuccess: ({ tenantId, key }) => onMade(tenantId, key),
    onSettled() {
      void queries.invalidateQueries({ queryKey: ['listTenants'] })
      void queries.invalidateQueries({ queryKey: ['getStatistics'] })
    },
  })
  const errors = fieldErrorsOf(create.error)
  return (
    <FormDialog
      title="New tenant"
      act="Create tenant"
      isPending={create.isPending}
      error={errors['name'] === undefined ? create.error : null}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <NameInput
        description="Its users read it in messages, such as “Your code for Acme Shop”."
        value={name}
        onChange={setName}
        error={errors['name']}
      />
    </FormDialog>
  )
}
