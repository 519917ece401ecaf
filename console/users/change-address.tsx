import { Checkbox, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { pastedText } from '../../contract/pasted-text.ts'
import type { AdminInputOf, ManagedUser } from '../../packages/client/src/admin.ts'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { fieldErrorsOf } from '../parts/dialogs/form-errors.ts'
import { toast } from '../parts/pages/toast.ts'
import { readNow } from '../queries.ts'
import { type UserPath, userQuery, useUpdateUser } from './users-queries.ts'

interface ChangeAddressProps {
  readonly kind: 'email' | 'phone'
  readonly path: UserPath
  readonly user: ManagedUser
  readonly onClose: () => void
}

const words = {
  email: { title: 'E-mail address', it: 'address', type: 'email', placeholder: 'ada@example.com' },
  phone: { title: 'Phone number', it: 'number', type: 'tel', placeholder: '+33 6 12 34 56 78' },
} as const

/** Replaces an address, or says whether the one there is verified. Sends only what was changed. */
export function ChangeAddress({ kind, path, user, onClose }: ChangeAddressProps) {
  const { title, it, type, placeholder } = words[kind]
  // Kept while the dialog is open: what is read again in the background is not what the operator judges.
  const [before, setBefore] = useState(user)
  const stored = before[kind] ?? ''
  const wasVerified = before[`${kind}Verified`]
  const [value, setValue] = useState(stored)
  const [isVerified, setVerified] = useState(stored === '' || wasVerified)
  const queries = useQueryClient()
  const update = useUpdateUser(path)
  const typed = pastedText(value)
  const isReplaced = typed !== stored
  const hasChanged = typed !== '' && (isReplaced || isVerified !== wasVerified)
  const changes: AdminInputOf<'updateUser'> = { ...(isReplaced && { [kind]: typed }), [`${kind}Verified`]: isVerified }
  const saving = useMutation({
    async mutationFn() {
      const now = await readNow(queries, userQuery(path))
      if (now[kind] !== before[kind] && now[kind] !== typed) {
        setBefore(now)
        throw new Error(
          `The ${it} was changed meanwhile: it is ${now[kind] ?? 'removed'} now. Save again to replace it.`,
        )
      }
      return update.mutateAsync(changes)
    },
    onSuccess() {
      toast(`The ${it} is changed`)
      onClose()
    },
  })
  const errors = fieldErrorsOf(saving.error)
  return (
    <FormDialog
      title={title}
      act="Save"
      isReady={hasChanged}
      isPending={saving.isPending}
      error={errors[kind] === undefined ? saving.error : null}
      onSubmit={saving.mutate}
      onClose={onClose}
    >
      <TextInput
        label={title}
        type={type}
        placeholder={placeholder}
        autoComplete="off"
        data-autofocus
        value={value}
        error={errors[kind]}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <Checkbox
        label={`Verified: I am sure that the ${it} belongs to this person`}
        description={`Passwords and providers stay. If you are not sure, leave it unverified: they are removed when a person proves the ${it}.`}
        checked={isVerified}
        onChange={({ currentTarget }) => setVerified(currentTarget.checked)}
      />
      {isReplaced && stored !== '' && (
        <Text size="sm">
          {wasVerified && `The old ${it} gets a notice. `}
          Codes that were sent before stop working.
        </Text>
      )}
    </FormDialog>
  )
}
