import { Alert, Text } from '@mantine/core'
import { useCallback, useMemo, useState } from 'react'
import { UnsavedChanges } from '../parts/dialogs/unsaved-changes.tsx'
import { Page } from '../parts/pages/page.tsx'
import { State } from '../parts/state.tsx'
import { useCan } from '../session/session.tsx'
import { EditorActions } from './editor-actions.tsx'
import { EditorContext } from './editor-context.ts'
import { EditorDialogs } from './editor-dialogs.tsx'
import { EditorView } from './editor-view.tsx'
import { useShownView, ViewControl } from './forms/shown-view.tsx'
import type { TypedText } from './json-view.tsx'
import { languagesOf } from './languages.ts'
import { MigrationProgress } from './migrations/migration-progress.tsx'
import { ProblemContext } from './problems/problem-context.tsx'
import { ProblemSummary } from './problems/problem-summary.tsx'
import { useProblems } from './problems/use-problems.ts'
import { BuildState } from './publishing/build-state.tsx'
import { useNextVersion } from './publishing/use-next-version.ts'
import type { CurrentSchema } from './schema-queries.ts'
import { useDraft } from './use-draft.ts'

/** The draft of the next version, in several views. Nothing is saved before it is published. */
export function Editor({ tenantId, current }: { readonly tenantId: string; readonly current: CurrentSchema }) {
  /** The text of the JSON view. */
  const [typed, setTyped] = useState<TypedText>()
  const mistake = typed?.problem ?? null
  /** How many names were typed that cannot be used. */
  const [unusable, setUnusable] = useState(0)
  const holdBack = useCallback(() => {
    setUnusable((count) => count + 1)
    return () => setUnusable((count) => count - 1)
  }, [])
  const edited = useDraft(tenantId, current, mistake !== null || unusable > 0)
  const { editing, edit, hasChanges } = edited
  const { draft, base } = editing
  const { view, show } = useShownView()
  const { problems, context, setProblems, clearProblems } = useProblems(edit, show)
  const [dialog, setDialog] = useState<'check' | 'publish' | null>(null)
  const [discarded, setDiscarded] = useState(0)
  const next = useNextVersion(tenantId, edited, () => {
    clearProblems()
    setTyped(undefined)
  })
  const mayPublish = useCan()('schema:write', tenantId)
  const languages = useMemo(() => languagesOf(draft), [draft])
  const parts = useMemo(
    () => ({ tenantId, draft, base, edit, holdBack, problems, languages }),
    [tenantId, draft, base, edit, holdBack, problems, languages],
  )
  return (
    <EditorContext value={parts}>
      <ProblemContext value={context}>
        <Page
          title="Profile schema"
          about={
            <>
              Version <strong>{base.version}</strong> is current. Published versions never change.
              {!mayPublish && ' You may try out changes and check them, and not publish them.'}
            </>
          }
          state={hasChanges && <State tone="warn">{unusable > 0 ? 'A name cannot be used' : 'Not published'}</State>}
          actions={
            <EditorActions
              editing={editing}
              hasChanges={hasChanges}
              mayPublish={mayPublish}
              isReadable={mistake === null && unusable === 0}
              onDiscard={() => {
                setTyped(undefined)
                edit({ do: 'discard' })
                setDiscarded(discarded + 1)
              }}
              onCheck={() => setDialog('check')}
              onPublish={() => setDialog('publish')}
            />
          }
        >
          <BuildState tenantId={tenantId} base={base} onCurrent={next.onBuilt} />
          <MigrationProgress tenantId={tenantId} />
          <ProblemSummary />
          <ViewControl view={view} show={show} />
          {mistake !== null && (
            <Alert color="yellow" variant="light" mb="sm" role="status">
              <Text size="sm">{view === 'json' ? mistake : `The text of the JSON view: ${mistake}`}</Text>
              <Text size="sm">
                Correct the text before you check or publish. The other views show the last draft that could be read.
              </Text>
            </Alert>
          )}
          {/* Another one after Discard: names that could not be used are in their inputs only. */}
          <EditorView key={discarded} view={view} open={editing.open} typed={typed} onType={setTyped} />
          <EditorDialogs
            open={dialog}
            onClose={() => setDialog(null)}
            edited={edited}
            next={next}
            onProblems={setProblems}
          />
          <UnsavedChanges isChanged={hasChanges} />
        </Page>
      </ProblemContext>
    </EditorContext>
  )
}
