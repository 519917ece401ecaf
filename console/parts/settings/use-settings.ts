import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TenantModules } from '../../../packages/client/src/admin.ts'
import { TenantryError } from '../../../packages/client/src/errors.ts'
import { readNow, showAnswer } from '../../queries.ts'
import { useCan } from '../../session/session.tsx'
import { fieldErrorsOf } from '../dialogs/form-errors.ts'
import { toast } from '../pages/toast.ts'
import { type Change, changesBetween, withChanges } from './changes.ts'
import { openProblems } from './open-problems.ts'
import { patchSettings, type Settings, settingsQuery, type WriteSettings } from './settings-queries.ts'

/** What is changed and not saved, and the revision that it was begun from. */
interface Draft {
  readonly base: Settings
  readonly modules: TenantModules
}

/** The settings of a tenant as a form edits them. */
export interface SettingsForm {
  readonly query: UseQueryResult<Settings>
  readonly mayChange: boolean
  /** With what is not saved yet; undefined before the first answer. */
  readonly modules: TenantModules | undefined
  /** @param isUnfinished something is typed that `modules` cannot have: the draft stays although it is what is stored */
  readonly change: (modules: TenantModules, isUnfinished?: boolean) => void
  readonly changes: readonly Change[]
  readonly save: () => void
  readonly discard: () => void
  readonly isSaving: boolean
  /** Why the last save failed; null once all that was refused is edited. */
  readonly error: unknown
  /** The server's messages by path, such as `otp.length`, about what was not edited since. */
  readonly problems: Readonly<Record<string, string>>
  /** What was saved last: the indexes in the paths are those of its lists. */
  readonly sent: TenantModules | undefined
  /** What another operator saved meanwhile. */
  readonly conflict: Conflict | null
}

export interface Conflict {
  readonly theirs: readonly Change[]
  readonly showTheirs: () => void
  readonly keepMine: () => void
  readonly close: () => void
}

const isConflict = (error: unknown): boolean => error instanceof TenantryError && error.code === 'PRECONDITION_FAILED'

/**
 * One draft of the settings. Nothing is saved by itself; a save that fails keeps the draft, and one that is refused because
 * the settings changed meanwhile shows both.
 */
export function useSettings(tenantId: string, write: WriteSettings = patchSettings): SettingsForm {
  const queries = useQueryClient()
  const stored = settingsQuery(tenantId)
  const query = useQuery(stored)
  const mayChange = useCan()('configuration:write', tenantId)
  const [draft, setDraft] = useState<Draft | null>(null)
  const [theirs, setTheirs] = useState<Settings | null>(null)
  const saving = useMutation({
    async mutationFn({ base, modules }: Draft) {
      try {
        return await write(tenantId, base, modules)
      } catch (error) {
        if (!isConflict(error)) throw error
        // When they cannot be read, that is why the save failed.
        const now = await readNow(queries, stored)
        const kept = rebased({ base, modules }, now)
        // It is saved: the answer of the save before was lost.
        if (changesBetween(now.modules, kept.modules).length === 0) return now
        setTheirs(now)
        throw error
      }
    },
    onSuccess: (saved, sent) => {
      showAnswer(queries, stored, saved)
      setTheirs(null)
      // What was typed while it was saved is kept.
      setDraft((now) => (now === null || now === sent ? null : rebased({ ...now, base: sent }, saved)))
      toast('Saved')
      void queries.invalidateQueries({ queryKey: ['getMessageStatistics', { tenantId }] })
    },
  })
  const changes = draft === null ? [] : changesBetween(draft.base.modules, draft.modules)
  function change(modules: TenantModules, isUnfinished = false): void {
    const base = draft?.base ?? query.data!
    // A draft without changes would hide what others save. While it is saved, a change may be taken back.
    const isSame = !isUnfinished && !saving.isPending && changesBetween(base.modules, modules).length === 0
    if (isSame) discard()
    else setDraft({ base, modules })
  }
  function discard(): void {
    setDraft(null)
    setTheirs(null)
    saving.reset()
  }
  function keepMine(): void {
    if (draft === null || theirs === null) return
    const next = rebased(draft, theirs)
    setDraft(next)
    setTheirs(null)
    saving.mutate(next)
  }
  const modules = draft?.modules ?? query.data?.modules
  const refused = fieldErrorsOf(saving.error)
  const problems = openProblems(refused, saving.variables?.modules, modules)
  const isCorrected = Object.keys(refused).length > 0 && Object.keys(problems).length === 0
  return {
    query,
    mayChange,
    modules,
    change,
    changes,
    save: () => draft !== null && saving.mutate(draft),
    discard,
    isSaving: saving.isPending,
    error: isConflict(saving.error) || isCorrected ? null : saving.error,
    problems,
    sent: saving.variables?.modules,
    conflict:
      draft === null || theirs === null
        ? null
        : {
            theirs: changesBetween(draft.base.modules, theirs.modules),
            showTheirs: discard,
            keepMine,
            close: () => setTheirs(null),
          },
  }
}

/** The changes of a draft in a later revision. */
const rebased = (
  { base, modules }: { base: Pick<Settings, 'modules'>; modules: TenantModules },
  onto: Settings,
): Draft => ({
  base: onto,
  modules: withChanges(onto.modules, changesBetween(base.modules, modules)),
})
