import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useState } from 'react'
import type { ReadProfile, StoredProfileSchema } from '../../packages/client/src/admin.ts'
import { TenantryError } from '../../packages/client/src/errors.ts'
import { Problem } from '../parts/problem.tsx'
import { ProfileField } from '../parts/profile-field/profile-field.tsx'
import { toast } from '../parts/toast.ts'
import { UnsavedChanges } from '../parts/unsaved-changes.tsx'
import { admin } from '../session/admin.ts'
import classes from './edit-profile.module.css'
import { locale, profileErrors, profileSections } from './profile-view.ts'
import { profileQuery, type UserPath } from './users-queries.ts'

interface Read {
  readonly profile: ReadProfile
  readonly etag: string
}

interface EditProfileProps {
  readonly path: UserPath
  readonly schema: StoredProfileSchema
  readonly read: Read
  readonly onClose: () => void
}

/** The profile as a form. Only what was changed is sent, and only if the profile was not changed since it was read. */
export function EditProfile({ path, schema, read, onClose }: EditProfileProps) {
  // Kept while it is edited: a profile that is read again in the background must not replace what is compared.
  const [base, setBase] = useState(read)
  const [entered, setEntered] = useState<Readonly<Record<string, unknown>>>({})
  const queries = useQueryClient()
  const change = useCallback(
    (name: string, value: unknown) => setEntered((before) => ({ ...before, [name]: value })),
    [],
  )
  const save = useMutation({
    mutationFn: (etag: string) => admin.updateUserProfile(path, entered, { ifMatch: etag }),
    async onSuccess() {
      await queries.invalidateQueries(profileQuery(path))
      toast('The profile is saved')
      onClose()
    },
  })
  const readTheirs = useMutation({
    mutationFn: () => queries.fetchQuery({ ...profileQuery(path), staleTime: 0 }),
    onSuccess(theirs) {
      setBase(theirs)
      save.reset()
    },
  })
  const isConflict = save.error instanceof TenantryError && save.error.code === 'PROFILE_CHANGED'
  const errors = profileErrors(save.error)
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...stored } = base.profile
  const sections = profileSections(schema, stored, { entered, errors }, locale)
  const shown = new Set(sections.flatMap(({ fields }) => fields.map(({ name }) => name)))
  const isElsewhere = Object.keys(errors).length === 0 || Object.keys(errors).some((name) => !shown.has(name))
  const isChanged = Object.keys(entered).length > 0
  function submit(event: FormEvent): void {
    event.preventDefault()
    save.mutate(base.etag)
  }
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isChanged={isChanged} />
      <Stack gap="lg">
        {sections.map(({ section, title, description, fields }) => (
          <Stack key={section} gap="sm">
            {title !== undefined && (
              <Text component="h3" fw={600} size="sm" m={0} dir="auto">
                {title}
              </Text>
            )}
            {description !== undefined && (
              <Text size="sm" c="dimmed" dir="auto">
                {description}
              </Text>
            )}
            {fields.map((field) => (
              <ProfileField key={field.name} field={field} locale={locale} onChange={change} byOperator />
            ))}
          </Stack>
        ))}
        {isConflict && (
          <Alert color="yellow" variant="light" role="alert" title="This profile was changed meanwhile">
            <Stack gap="sm">
              <Text size="sm">What you typed is still here and not saved.</Text>
              <Group gap="xs">
                <Button
                  size="xs"
                  variant="default"
                  loading={readTheirs.isPending}
                  onClick={() => readTheirs.mutate(undefined, { onSuccess: () => setEntered({}) })}
                >
                  Show theirs
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  loading={readTheirs.isPending}
                  onClick={() => readTheirs.mutate(undefined, { onSuccess: ({ etag }) => save.mutate(etag) })}
                >
                  Keep mine
                </Button>
              </Group>
            </Stack>
          </Alert>
        )}
        {save.isError && !isConflict && isElsewhere && <Problem error={save.error} />}
        {readTheirs.isError && <Problem error={readTheirs.error} />}
        <Group justify="flex-end" className={classes['actions']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!isChanged}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
