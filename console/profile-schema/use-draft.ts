import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { type Editing, type EditorAction, isChanged, reduceEditing, startEditing } from './editing.ts'
import { type CurrentSchema, schemaQuery } from './schema-queries.ts'

/** The revision that `If-Match` names, by the version that a draft continues. Undo can lead back to an earlier one. */
type Etags = Readonly<Record<string, string | undefined>>

/** A draft that is being edited, with the revision of the tenant that it was made for. */
export interface EditedDraft {
  readonly editing: Editing
  readonly edit: (action: EditorAction) => void
  /** Whether something is changed and not published. */
  readonly hasChanges: boolean
  /** What `If-Match` names when the draft is published. */
  readonly etag: string | undefined
  /** Drafts that continue this version are published with its revision. */
  readonly keepEtag: (current: CurrentSchema) => void
}

/**
 * The draft that continues the current version. Another operator may publish while it is edited: a draft without changes
 * follows, others stay until they are published.
 *
 * @param isTyped something else was typed that is not in the draft
 */
export function useDraft(tenantId: string, current: CurrentSchema, isTyped: boolean): EditedDraft {
  const [editing, edit] = useReducer(reduceEditing, current.schema, startEditing)
  const [etags, setEtags] = useState<Etags>({ [current.schema.version]: current.etag })
  const keepEtag = useCallback(
    ({ schema, etag }: CurrentSchema) => setEtags((before) => ({ ...before, [schema.version]: etag })),
    [],
  )
  const isDraftChanged = useMemo(() => isChanged(editing), [editing])
  const hasChanges = isDraftChanged || isTyped || Object.keys(editing.unusable).length > 0

  const now = useRef({ editing, hasChanges })
  now.current = { editing, hasChanges }
  const latest = useQuery(schemaQuery(tenantId)).data
  useEffect(() => {
    if (latest === undefined) return
    const isSame = latest.schema.version === now.current.editing.base.version
    if (!isSame && now.current.hasChanges) return
    keepEtag(latest)
    if (!isSame) edit({ do: 'rebase', base: latest.schema })
  }, [latest, keepEtag])

  return { editing, edit, hasChanges, etag: etags[editing.base.version], keepEtag }
}
