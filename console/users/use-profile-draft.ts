import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import type { ReadProfile } from '../../packages/client/src/admin.ts'
import { TenantryError } from '../../packages/client/src/errors.ts'
import { toast } from '../parts/pages/toast.ts'
import { changesBetween } from '../parts/settings/changes.ts'
import { readNow } from '../queries.ts'
import { admin } from '../session/admin.ts'
import { currentSchemaQuery, profileQuery, type UserPath } from './users-queries.ts'

export type ProfileDraft = ReturnType<typeof useProfileDraft>

export interface RevisedProfile {
  readonly profile: ReadProfile
  readonly etag: string
}

type Values = Readonly<Record<string, unknown>>

/** The service ignores a field that the schema no longer has: its value would be lost without a word. */
class FieldGoneError extends Error {
  override readonly name = 'FieldGoneError'

  constructor(values: Values) {
    const lost = Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    super(
      `The profile schema was changed meanwhile. Not saved, because these fields are gone: ${lost.join(', ')}. Everything else is saved.`,
    )
  }
}

const isConflict = (error: unknown): boolean => error instanceof TenantryError && error.code === 'PROFILE_CHANGED'

/** A profile that is being edited. Only what was changed is sent, and only if the profile was not changed since it was read. */
export function useProfileDraft(path: UserPath, read: RevisedProfile, onSaved: () => void) {
  // Kept while it is edited: a profile that is read again in the background must not replace what is compared.
  const [base, setBase] = useState(read)
  const [entered, setEntered] = useState<Values>({})
  const latest = useRef(entered)
  latest.current = entered
  const queries = useQueryClient()
  const change = useCallback(
    (name: string, value: unknown) => setEntered((before) => ({ ...before, [name]: value })),
    [],
  )
  const readAgain = () => queries.invalidateQueries(profileQuery(path))
  /** What was typed while it was saved is kept. */
  function keepOthers(sent: Values): void {
    setBase((before) => queries.getQueryData(profileQuery(path).queryKey) ?? before)
    setEntered((now) => Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== sent[name])))
  }
  const saving = useMutation({
    async mutationFn({ etag, sent }: { etag: string; sent: Values }) {
      try {
        const saved = await admin.updateUserProfile(path, sent, { ifMatch: etag })
        if (Object.keys(sent).every((name) => Object.hasOwn(saved, name))) return
        // A field may also be missing because a condition hides it.
        const { components } = await readNow(queries, currentSchemaQuery(path.tenantId))
        const gone = Object.entries(sent).filter(([field]) => !components.some(({ name }) => name === field))
        if (gone.length > 0) throw new FieldGoneError(Object.fromEntries(gone))
      } catch (error) {
        if (!isConflict(error)) throw error
        const { profile: now } = await readNow(queries, profileQuery(path))
        // Otherwise it is saved: the answer of the save before was lost.
        if (changesBetween(now, { ...now, ...sent }).length > 0) throw error
      }
    },
    async onError(error, { sent }) {
      const isGone = error instanceof FieldGoneError
      // A refused field may be one of a schema that was published meanwhile. The form shows it with the refusal.
      if (isGone || (error instanceof TenantryError && error.validation !== undefined))
        await queries.invalidateQueries(currentSchemaQuery(path.tenantId))
      if (!isGone) return
      await readAgain()
      keepOthers(sent)
    },
    async onSuccess(_saved, { sent }) {
      await readAgain()
      toast('The profile is saved')
      if (latest.current === sent) return onSaved()
      keepOthers(sent)
    },
  })
  const readingTheirs = useMutation({
    mutationFn: () => readNow(queries, profileQuery(path)),
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
