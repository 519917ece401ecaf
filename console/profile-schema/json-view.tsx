import { JsonEditor } from '../parts/json-editor/json-editor.tsx'
import { inexactNumber } from '../parts/json-editor/json-positions.ts'
import { documentOf, draftOf } from './draft.ts'
import { useEditor } from './editor-context.ts'
import { readDocument, refuseDocument } from './read-document.ts'

/** What stands in the view. */
export interface TypedText {
  readonly text: string
  /** Why the text has no document; null when it is the draft. */
  readonly problem: string | null
}

const print = (document: unknown): string => JSON.stringify(document, null, 2)

/** The problem with a text, or its document. */
function read(text: string): { readonly problem: string } | { readonly document: unknown } {
  try {
    const document: unknown = JSON.parse(text)
    const inexact = inexactNumber(text)
    if (inexact !== null) return { problem: `Line ${inexact.line}: ${inexact.number} cannot be kept exactly.` }
    const problem = refuseDocument(document)
    return problem === null ? { document } : { problem }
  } catch {
    return { problem: 'This is not JSON yet: see the mark in the text.' }
  }
}

/** The same draft as text. While the text has no document, the last one that it had stays the draft. */
export function JsonView({
  typed,
  onType,
}: {
  readonly typed: TypedText | undefined
  readonly onType: (typed: TypedText) => void
}) {
  const { draft, edit, problems } = useEditor()
  const printed = print(documentOf(draft))
  // The draft may have changed otherwise since: by Undo.
  const isCurrent = typed !== undefined && (typed.problem !== null || printedAs(typed.text) === printed)
  function change(text: string): void {
    const next = read(text)
    onType({ text, problem: 'problem' in next ? next.problem : null })
    if ('document' in next) edit({ do: 'replace', draft: draftOf(readDocument(next.document), draft) })
  }
  return (
    <JsonEditor
      label="Profile schema as JSON"
      value={isCurrent ? typed.text : printed}
      onChange={change}
      problems={problems}
      minHeight={420}
      maxHeight="calc(100dvh - 220px)"
    />
  )
}

/** How the draft of a text is printed. */
function printedAs(text: string): string | null {
  const own = read(text)
  return 'problem' in own ? null : print(documentOf(draftOf(readDocument(own.document))))
}
