import { useQueryClient } from '@tanstack/react-query'
import type { AdminOutputOf } from '../../packages/client/src/admin.ts'
import { RotateDialog } from '../parts/credentials/rotate-dialog.tsx'
import { admin } from '../session/admin.ts'
import { keysOf, type TenantKey } from './keys-queries.ts'

const overlaps = [
  { value: '0', label: 'Not at all: it stops now' },
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '604800', label: 'A week' },
  { value: '2592000', label: '30 days' },
  { value: '7776000', label: '90 days' },
]

interface RotateKeyProps {
  readonly tenantId: string
  readonly tenantKey: TenantKey
  readonly onMade: (made: AdminOutputOf<'rotateTenantKey'>) => void
  readonly onClose: () => void
}

/** Makes a key of the same name and kind; the old one works for a while. */
export function RotateKey({ tenantId, tenantKey, onMade, onClose }: RotateKeyProps) {
  const queries = useQueryClient()
  async function rotate(overlapSeconds: number, idempotencyKey: string): Promise<void> {
    const path = { tenantId, keyId: tenantKey.id }
    const made = await admin.rotateTenantKey(path, { overlapSeconds }, { idempotencyKey })
    onClose()
    onMade(made)
    await queries.invalidateQueries({ queryKey: keysOf(tenantId) })
  }
  return (
    <RotateDialog overlaps={overlaps} day="86400" rotate={rotate} onClose={onClose}>
      You get a new key of the same kind, also named “<bdi>{tenantKey.name}</bdi>”. Put it into your application before
      the old key ends.
    </RotateDialog>
  )
}
