import { useMemo, useState } from 'react'
import { Page } from '../parts/page.tsx'
import { State } from '../parts/state.tsx'
import { UnsavedChanges } from '../parts/unsaved-changes.tsx'
import { BuildState } from './build-state.tsx'
import { EditorActions } from './editor-actions.tsx'
import { EditorContext } from './editor-context.ts'
import { EditorDialogs } from './editor-dialogs.tsx'
import { EditorView } from './editor-view.tsx'
import { languagesOf } from './languages.ts'
import { MigrationProgress } from './migration-progress.tsx'
import { ProblemContext } from './problems/problem-context.tsx'
import { ProblemSummary } from './problems/problem-summary.tsx'
import { useProblems } from './problems/use-problems.ts'
import type { CurrentSchema } from './schema-queries.ts'
import { useShownView, ViewControl } from './shown-view.tsx'
import { useDraft } from './use-draft.ts'
import { useNextVersion } from './use-next-version.ts'

/** The draft of the next version, in several views. Nothing is saved before it is published. */
export function Editor({ tenantId, current }: { readonly tenantId: string; readonly current: CurrentSchema }) {
  const edited = useDraft(tenantId, current)
  const { editing, edit, hasChanges } = edited
  const { draft, base } = editing
  const { view, show } = useShownView()
  const { problems, context, setProblems, clearProblems } = useProblems(edit, show)
  /** The text of the JSON view, also while it is not JSON. */
  const [typed, setTyped] = useState<string>()
  const [dialog, setDialog] = useState<'check' | 'publish' | null>(null)
  const next = useNextVersion(tenantId, edited, () => {
    clearProblems()
    setTyped(undefined)
  })
  const languages = useMemo(() => languagesOf(draft), [draft])
  const parts = useMemo(
    () => ({ tenantId, draft, base, edit, problems, languages }),
    [tenantId, draft, base, edit, problems, languages],
  )
  return (
    <EditorContext value={parts}>
      <ProblemContext value={context}>
        <Page
          title="Profile schema"
          about={
            <>
              Version <strong>{base.version}</strong> is current. Published versions never change.
            </>
          }
          state={hasChanges && <State tone="warn">Not published</State>}
          actions={
            <EditorActions
              editing={editing}
              hasChanges={hasChanges}
              onCheck={() => setDialog('check')}
              onPublish={() => setDialog('publish')}
            />
          }
        >
          <BuildState tenantId={tenantId} base={base} onCurrent={next.onBuilt} />
          <MigrationProgress tenantId={tenantId} />
          <ProblemSummary />
          <ViewControl view={view} show={show} />
          <EditorView view={view} open={editing.open} typed={typed} onType={setTyped} />
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
