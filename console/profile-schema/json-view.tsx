import { Alert, Text } from '@mantine/core'
import { JsonEditor } from '../parts/json-editor/json-editor.tsx'
import { documentOf, draftOf } from './draft.ts'
import { useEditor } from './editor-context.ts'
import { readDocument, refuseDocument } from './read-document.ts'

const print = (document: unknown): string => JSON.stringify(document, null, 2)

/** The problem with a text, or its document. */
function read(text: string): { readonly problem: string } | { readonly document: unknown } {
  try {
    const document: unknown = JSON.parse(text)
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
  readonly typed: string | undefined
  readonly onType: (text: string) => void
}) {
  const { draft, edit, problems } = useEditor()
  const own = typed === undefined ? undefined : read(typed)
  const printed = print(documentOf(draft))
  // The draft may have changed otherwise since: by Undo.
  const isCurrent =
    own !== undefined && ('problem' in own || print(documentOf(draftOf(readDocument(own.document)))) === printed)
  function change(text: string): void {
    onType(text)
    const next = read(text)
    if ('document' in next) edit({ do: 'replace', draft: draftOf(readDocument(next.document), draft) })
  }
  return (
    <>
      {own !== undefined && 'problem' in own && isCurrent && (
        <Alert color="yellow" variant="light" mb="sm" role="status">
          <Text size="sm">{own.problem}</Text>
          <Text size="sm">The other views keep the last draft that could be read.</Text>
        </Alert>
      )}
      <JsonEditor
        label="Profile schema as JSON"
        value={isCurrent ? typed! : printed}
        onChange={change}
        problems={problems}
        minHeight={420}
        maxHeight="calc(100dvh - 220px)"
      />
    </>
  )
}
