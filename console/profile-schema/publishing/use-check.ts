import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorsOf } from '../../parts/dialogs/form-errors.ts'
import type { Draft } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { checkDraft } from '../schema-queries.ts'

/** @param problems the server's messages by path; none when it accepts the draft */
export type OnProblems = (problems: Readonly<Record<string, string>>, checked: Draft) => void

/** Checks the draft as it is when the dialog opens: its version is named while the report is shown. */
export function useCheck(onProblems: OnProblems) {
  const { tenantId, draft } = useEditor()
  const [checked] = useState<Draft>(() => draft)
  return useQuery({
    queryKey: ['checkProfileSchema', { tenantId }, checked],
    queryFn: async ({ signal }) => {
      try {
        const report = await checkDraft(tenantId, checked, signal)
        onProblems({}, checked)
        return report
      } catch (error) {
        onProblems(fieldErrorsOf(error), checked)
        throw error
      }
    },
    ...{ gcTime: 0, staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false },
  })
}
