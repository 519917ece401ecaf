import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useRef } from 'react'
import type { StoredProfileSchema } from '../../packages/client/src/admin.ts'
import { UnsavedChanges } from '../parts/dialogs/unsaved-changes.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { useFocusOfRefusedField } from '../parts/pages/refused-field.ts'
import { reportIncomplete } from '../parts/pages/report-incomplete.ts'
import { ProfileField } from '../parts/profile-field/profile-field.tsx'
import classes from './edit-profile.module.css'
import { locale, profileErrors, profileSections } from './profile-view.ts'
import { type ProfileDraft, type RevisedProfile, useProfileDraft } from './use-profile-draft.ts'
import type { UserPath } from './users-queries.ts'

interface EditProfileProps {
  readonly path: UserPath
  readonly schema: StoredProfileSchema
  readonly read: RevisedProfile
  readonly onClose: () => void
}

/** The profile as a form. */
export function EditProfile({ path, schema, read, onClose }: EditProfileProps) {
  const draft = useProfileDraft(path, read, onClose)
  const { base, entered, change, saving, readingTheirs, isConflict } = draft
  const errors = profileErrors(saving.error)
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...stored } = base
  const sections = profileSections(schema, stored, { entered, errors }, locale)
  const shown = new Set(sections.flatMap(({ fields }) => fields.map(({ name }) => name)))
  const isElsewhere = Object.keys(errors).length === 0 || Object.keys(errors).some((name) => !shown.has(name))
  const form = useRef<HTMLFormElement>(null)
  useFocusOfRefusedField(form, saving.isPending)
  const isChanged = Object.keys(entered).length > 0
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (!reportIncomplete(event.currentTarget)) draft.save()
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
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
        <Stack gap="sm" className={classes['actions']}>
          {isConflict && <Conflict draft={draft} />}
          {saving.isError && !isConflict && isElsewhere && <Problem error={saving.error} ofAct />}
          {readingTheirs.isError && <Problem error={readingTheirs.error} ofAct />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={saving.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={!isChanged}>
              Save
            </Button>
          </Group>
        </Stack>
      </Stack>
    </form>
  )
}

function Conflict({ draft: { readingTheirs, showTheirs, keepMine } }: { readonly draft: ProfileDraft }) {
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => void alert.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <Alert ref={alert} color="yellow" variant="light" role="alert" title="This profile was changed meanwhile">
      <Stack gap="sm">
        <Text size="sm">What you typed is still here and not saved.</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" loading={readingTheirs.isPending} onClick={showTheirs}>
            Show theirs
          </Button>
          <Button size="xs" variant="default" loading={readingTheirs.isPending} onClick={keepMine}>
            Keep mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
