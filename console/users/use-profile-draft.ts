import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import type { ReadProfile } from '../../packages/client/src/admin.ts'
import { TenantryError } from '../../packages/client/src/errors.ts'
import { toast } from '../parts/pages/toast.ts'
import { changesBetween } from '../parts/settings/changes.ts'
import { admin } from '../session/admin.ts'
import { profileQuery, type UserPath } from './users-queries.ts'

export type ProfileDraft = ReturnType<typeof useProfileDraft>

export interface RevisedProfile {
  readonly profile: ReadProfile
  readonly etag: string
}

const isConflict = (error: unknown): boolean => error instanceof TenantryError && error.code === 'PROFILE_CHANGED'

/** A profile that is being edited. Only what was changed is sent, and only if the profile was not changed since it was read. */
export function useProfileDraft(path: UserPath, read: RevisedProfile, onSaved: () => void) {
  // Kept while it is edited: a profile that is read again in the background must not replace what is compared.
  const [base, setBase] = useState(read)
  const [entered, setEntered] = useState<Readonly<Record<string, unknown>>>({})
  const latest = useRef(entered)
  latest.current = entered
  const queries = useQueryClient()
  const change = useCallback(
    (name: string, value: unknown) => setEntered((before) => ({ ...before, [name]: value })),
    [],
  )
  const saving = useMutation({
    async mutationFn({ etag, sent }: { etag: string; sent: Readonly<Record<string, unknown>> }) {
      try {
        await admin.updateUserProfile(path, sent, { ifMatch: etag })
      } catch (error) {
        if (!isConflict(error)) throw error
        const { profile: now } = await queries.fetchQuery({ ...profileQuery(path), staleTime: 0 })
        // Otherwise it is saved: the answer of the save before was lost.
        if (changesBetween(now, { ...now, ...sent }).length > 0) throw error
      }
    },
    async onSuccess(_saved, { sent }) {
      await queries.invalidateQueries(profileQuery(path))
      toast('The profile is saved')
      if (latest.current === sent) return onSaved()
      // What was typed while it was saved is kept.
      setBase((before) => queries.getQueryData(profileQuery(path).queryKey) ?? before)
      setEntered((now) => Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== sent[name])))
    },
  })
  const readingTheirs = useMutation({
    mutationFn: () => queries.fetchQuery({ ...profileQuery(path), staleTime: 0 }),
    onSuccess(theirs) {
      setBase(theirs)
      saving.reset()
    },
  })
  return {
    base: base.profile,
    /** By the name of the field. */
    entered,
    change,
    saving,
    save: () => saving.mutate({ etag: base.etag, sent: entered }),
    /** Another operator, or the user, saved the profile meanwhile. */
    isConflict: isConflict(saving.error),
    readingTheirs,
    showTheirs: () => readingTheirs.mutate(undefined, { onSuccess: () => setEntered({}) }),
    keepMine: () =>
      readingTheirs.mutate(undefined, { onSuccess: ({ etag }) => saving.mutate({ etag, sent: latest.current }) }),
  }
}
