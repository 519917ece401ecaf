import { createContext, useContext } from 'react'
import type { Draft, StoredProfileSchema } from './draft.ts'
import type { EditorAction } from './editing.ts'
import type { UnusableNames } from './fields/unusable-names.ts'

/** What the parts of the editor share. */
export interface EditorParts {
  readonly tenantId: string
  readonly draft: Draft
  readonly base: StoredProfileSchema
  readonly edit: (action: EditorAction) => void
  /** While there are some, nothing is checked or published. */
  readonly unusable: UnusableNames
  /** The server's messages by path: `error.validation` of the last check or publication. */
  readonly problems: Readonly<Record<string, string>>
  /** The languages of the schema's texts, without `default`. */
  readonly languages: readonly string[]
}

export const EditorContext = createContext<EditorParts | null>(null)

export function useEditor(): EditorParts {
  const parts = useContext(EditorContext)
  if (parts === null) throw new Error('useEditor must be used inside the editor')
  return parts
}
