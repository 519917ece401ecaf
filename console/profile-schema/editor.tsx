import { Alert, Text, UnstyledButton } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { UnsavedChanges } from '../parts/dialogs/unsaved-changes.tsx'
import { loadJsonEditor } from '../parts/json-editor/json-editor.tsx'
import { Page } from '../parts/pages/page.tsx'
import { State } from '../parts/state.tsx'
import { useCan } from '../session/session.tsx'
import { EditorActions } from './editor-actions.tsx'
import { EditorContext } from './editor-context.ts'
import { EditorDialogs } from './editor-dialogs.tsx'
import { EditorView } from './editor-view.tsx'
import { inputsOf } from './fields/unusable-names.ts'
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
  const edited = useDraft(tenantId, current, mistake !== null)
  const { editing, edit, hasChanges } = edited
  const { draft, base, unusable } = editing
  // As `loadedBeside`, once there is something to lose. The view says it if that fails.
  useEffect(() => void (hasChanges && loadJsonEditor().catch(() => {})), [hasChanges])
  const [unusableName] = inputsOf(unusable, draft)
  const { view, show } = useShownView()
  const { problems, context, setProblems, clearProblems } = useProblems(edit, show)
  const [dialog, setDialog] = useState<'check' | 'publish' | null>(null)
  /** What is shown about a draft goes with it. */
  function forget(): void {
    clearProblems()
    setTyped(undefined)
  }
  const next = useNextVersion(tenantId, edited, forget)
  const mayPublish = useCan()('schema:write', tenantId)
  const languages = useMemo(() => languagesOf(draft), [draft])
  const parts = useMemo(
    () => ({ tenantId, draft, base, unusable, edit, problems, languages }),
    [tenantId, draft, base, unusable, edit, problems, languages],
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
          state={
            unusableName !== undefined ? (
              <UnstyledButton td="underline" onClick={() => context.goTo(unusableName)}>
                <State tone="warn">A name cannot be used</State>
              </UnstyledButton>
            ) : (
              hasChanges && <State tone="warn">Not published</State>
            )
          }
          actions={
            <EditorActions
              editing={editing}
              hasChanges={hasChanges}
              mayPublish={mayPublish}
              isReadable={mistake === null && unusableName === undefined}
              onDiscard={() => {
                forget()
                edit({ do: 'discard' })
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
