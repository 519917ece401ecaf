import { Checkbox, PasswordInput, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { pastedText } from '../../contract/pasted-text.ts'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { errorBesideFields, fieldErrorsOf } from '../parts/dialogs/form-errors.ts'
import { useIdempotencyKey } from '../parts/dialogs/idempotency-key.ts'
import { useNavigateFromHere } from '../parts/pages/navigate-from-here.ts'
import { toast } from '../parts/pages/toast.ts'
import { admin } from '../session/admin.ts'
import { useMethods } from './use-methods.ts'
import { nameOf } from './user-state.tsx'
import { readUsersAgain, userQuery } from './users-queries.ts'
import { withoutPassword } from './ways-to-sign-in.ts'

const blank = { email: '', emailVerified: false, phone: '', phoneVerified: false, password: '' }

interface NewUserProps {
  readonly tenantId: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Creates a user without sending a message, and opens their page. What was typed stays until then. */
export function NewUser({ tenantId, isOpen, onClose }: NewUserProps) {
  const queries = useQueryClient()
  const navigate = useNavigateFromHere()
  const [typed, setTyped] = useState(blank)
  const { keyFor, forget } = useIdempotencyKey()
  const { password, emailVerified, phoneVerified } = typed
  const [email, phone] = [pastedText(typed.email), pastedText(typed.phone)]
  const body = {
    ...(email !== '' && { email, emailVerified }),
    ...(phone !== '' && { phone, phoneVerified }),
    ...(password !== '' && { password }),
  }
  const creation = useMutation({
    mutationFn: () => admin.createUser({ tenantId }, body, { idempotencyKey: keyFor(body) }),
    onSuccess: async (user) => {
      const path = { tenantId, userId: user.id }
      queries.setQueryData(userQuery(path).queryKey, user)
      void readUsersAgain(queries, tenantId)
      forget()
      setTyped(blank)
      onClose()
      toast(`${nameOf(user)} is created`)
      await navigate({ to: '/tenants/$tenantId/users/$userId', params: path, ignoreBlocker: true })
    },
  })
  const methods = useMethods(tenantId, isOpen)
  const errors = fieldErrorsOf(creation.error)
  const set = (changes: Partial<typeof blank>) => setTyped({ ...typed, ...changes })
  return (
    <FormDialog
      isOpen={isOpen}
      title="New user"
      act="Create user"
      isPending={creation.isPending}
      error={errorBesideFields(creation.error, Object.keys(blank))}
      onSubmit={creation.mutate}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        An e-mail address, a phone number or both. No message is sent.
      </Text>
      <TextInput
        label="E-mail address"
        type="email"
        autoComplete="off"
        data-autofocus
        value={typed.email}
        error={errors['email']}
        onChange={({ currentTarget }) => set({ email: currentTarget.value })}
      />
      <Checkbox
        label="The address belongs to this person"
        description="It counts as verified. Otherwise its first verification removes the password you set here."
        checked={emailVerified}
        disabled={email === ''}
        onChange={({ currentTarget }) => set({ emailVerified: currentTarget.checked })}
      />
      <TextInput
        label="Phone number"
        type="tel"
        placeholder="+33 6 12 34 56 78"
        autoComplete="off"
        value={typed.phone}
        error={errors['phone']}
        onChange={({ currentTarget }) => set({ phone: currentTarget.value })}
      />
      <Checkbox
        label="The number belongs to this person"
        checked={phoneVerified}
        disabled={phone === ''}
        onChange={({ currentTarget }) => set({ phoneVerified: currentTarget.checked })}
      />
      <PasswordInput
        label="Password"
        description={withoutPassword(methods)}
        autoComplete="new-password"
        value={password}
        error={errors['password']}
        onChange={({ currentTarget }) => set({ password: currentTarget.value })}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      />
    </FormDialog>
  )
}
