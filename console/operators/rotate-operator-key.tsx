import { useQueryClient } from '@tanstack/react-query'
import { RotateDialog } from '../parts/credentials/rotate-dialog.tsx'
import { admin } from '../session/admin.ts'
import { allOperators, type Operator } from './operators-queries.ts'

const overlaps = [
  { value: '0', label: 'Not at all: it stops now, and so do console sessions' },
  { value: '1', label: 'One hour' },
  { value: '24', label: 'One day' },
  { value: '168', label: 'A week' },
  { value: '720', label: '30 days' },
]

interface RotateOperatorKeyProps {
  readonly operator: Operator
  readonly onMade: (key: string) => void
  readonly onClose: () => void
}

/** Makes another key for the same operator; the old one works for a while. */
export function RotateOperatorKey({ operator, onMade, onClose }: RotateOperatorKeyProps) {
  const queries = useQueryClient()
  async function rotate(overlapHours: number, idempotencyKey: string): Promise<void> {
    const { key } = await admin.rotateOperatorKey({ operatorId: operator.id }, { overlapHours }, { idempotencyKey })
    onClose()
    onMade(key)
    await queries.invalidateQueries({ queryKey: allOperators })
  }
  return (
    <RotateDialog overlaps={overlaps} day="24" rotate={rotate} onClose={onClose}>
      “<bdi>{operator.name}</bdi>” gets another key and keeps scopes and tenants.
    </RotateDialog>
  )
}
