import { useQueryClient } from '@tanstack/react-query'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { toast } from '../parts/pages/toast.ts'
import { showAnswer } from '../queries.ts'
import { admin } from '../session/admin.ts'
import { signingKeysQuery } from './signing-keys-queries.ts'

interface RotateSigningKeysProps {
  readonly act: 'rotate' | 'withdraw' | null
  readonly onClose: () => void
}

/** Two questions: the planned change of keys, which no one notices, and the answer to a leaked key. */
export function RotateSigningKeys({ act, onClose }: RotateSigningKeysProps) {
  const queries = useQueryClient()
  async function rotate(withdraw: boolean, done: string): Promise<void> {
    showAnswer(queries, signingKeysQuery, await admin.rotateSigningKeys({ withdraw }))
    toast(done)
  }
  return (
    <>
      <Confirm
        isOpen={act === 'rotate'}
        onClose={onClose}
        title="Rotate the signing keys?"
        act="Rotate"
        onConfirm={() => rotate(false, 'The next key is published.')}
      >
        The next key is published now and signs in ten minutes. Users stay signed in. Nothing changes if a next key is
        published already.
      </Confirm>
      <Confirm
        isOpen={act === 'withdraw'}
        onClose={onClose}
        title="Withdraw all signing keys?"
        act="Withdraw all"
        isDestructive
        onConfirm={() => rotate(true, 'A new key signs. Earlier keys are withdrawn.')}
      >
        For a key that has leaked. A new key signs at once, and every access token of every tenant is refused within a
        minute. Applications get new tokens with their refresh tokens, so users stay signed in where an application
        refreshes by itself.
      </Confirm>
    </>
  )
}
