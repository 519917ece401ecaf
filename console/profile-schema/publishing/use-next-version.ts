import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toast } from '../../parts/pages/toast.ts'
import { showAnswer } from '../../queries.ts'
import { type Draft, draftAfter, isSameDocument } from '../draft.ts'
import {
  type CurrentSchema,
  type Publication,
  readCurrentSchema,
  schemaQuery,
  versionsQuery,
} from '../schema-queries.ts'
import type { EditedDraft } from '../use-draft.ts'

/** What becomes of a draft when there is a version after the one that it continues. */
export interface NextVersion {
  /** The draft was published from this page. */
  readonly onPublished: (publication: Publication) => Promise<void>
  /** A version was built in the background and is current. What was edited since it was submitted stays the draft. */
  readonly onBuilt: (current: CurrentSchema) => Promise<void>
  /** Goes on from the version of another operator: with the merged draft, or with theirs alone. Undo brings mine back. */
  readonly adopt: (current: CurrentSchema, merged?: Draft) => void
  /** Makes the content of a version the draft. Undo brings mine back. */
  readonly startFrom: (draft: Draft) => void
}

/** @param forget drops what was shown about the draft before */
export function useNextVersion(
  tenantId: string,
  { editing, edit, hasChanges, keepEtag }: EditedDraft,
  forget: () => void,
): NextVersion {
  const queries = useQueryClient()
  /** The name of the version that was submitted last and is not current yet. */
  const submitted = useRef<string>(undefined)

  const readVersionsAgain = () => queries.invalidateQueries({ queryKey: versionsQuery(tenantId).queryKey.slice(0, 2) })

  function showAsCurrent(current: CurrentSchema): void {
    showAnswer(queries, schemaQuery(tenantId), current)
    keepEtag(current)
    forget()
  }

  async function continueFrom(current: CurrentSchema): Promise<void> {
    showAsCurrent(current)
    edit({ do: 'rebase', base: current.schema })
    await readVersionsAgain()
    await queries.invalidateQueries({ queryKey: ['readProfileMigration', { tenantId }] })
  }

  async function onPublished({ state, version }: Publication): Promise<void> {
    if (state === 'current') {
      await continueFrom(await readCurrentSchema(tenantId))
      toast(`Version ${version} is current.`)
    } else {
      submitted.current = version
      keepEtag(await readCurrentSchema(tenantId))
      await readVersionsAgain()
    }
  }

  async function onBuilt(current: CurrentSchema): Promise<void> {
    const { draft } = editing
    const isPublished = isSameDocument({ ...draft, version: undefined, migrations: [] }, draftAfter(current.schema))
    if (!hasChanges || isPublished) return continueFrom(current)
    // One of another operator is merged when the draft is published.
    if (current.schema.version !== submitted.current) return
    edit({ do: 'rebase', base: current.schema, draft })
    keepEtag(current)
  }

  function adopt(current: CurrentSchema, merged?: Draft): void {
    showAsCurrent(current)
    edit({ do: 'adopt', base: current.schema, ...(merged && { draft: merged }) })
    if (merged) toast(`Merged with version ${current.schema.version}. Check the draft, then publish it.`)
  }

  function startFrom(draft: Draft): void {
    forget()
    edit({ do: 'startFrom', draft })
  }

  return { onPublished, onBuilt, adopt, startFrom }
}
