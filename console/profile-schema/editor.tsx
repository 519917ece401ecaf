import { ActionIcon, Button, Group, SegmentedControl, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { Page } from '../parts/page.tsx'
import { State } from '../parts/state.tsx'
import { toast } from '../parts/toast.ts'
import { UnsavedChanges } from '../parts/unsaved-changes.tsx'
import { useCan } from '../session/session.tsx'
import { BuildState } from './build-state.tsx'
import { type Draft, draftAfter, isSameDocument } from './draft.ts'
import { type EditorAction, isChanged, reduceEditing, startEditing } from './editing.ts'
import { EditorContext } from './editor-context.ts'
import { EditorView } from './editor-view.tsx'
import { languagesOf } from './languages.ts'
import { MigrationProgress } from './migration-progress.tsx'
import { ProblemContext } from './problems/problem-context.tsx'
import { ProblemSummary } from './problems/problem-summary.tsx'
import { useProblems } from './problems/use-problems.ts'
import {
  type CurrentSchema,
  type OtherVersion,
  type Publication,
  readCurrentSchema,
  schemaQuery,
  versionsQuery,
} from './schema-queries.ts'

const MergeDialog = lazy(async () => ({ default: (await import('./merge-dialog.tsx')).MergeDialog }))
const PublishDialog = lazy(async () => ({ default: (await import('./publish-dialog.tsx')).PublishDialog }))
const VersionDialog = lazy(async () => ({ default: (await import('./version-dialog.tsx')).VersionDialog }))

const views = [
  { value: 'fields', label: 'Fields' },
  { value: 'forms', label: 'Forms' },
  { value: 'migrations', label: 'Migrations' },
  { value: 'json', label: 'JSON' },
  { value: 'versions', label: 'Versions' },
]

const route = '/signed-in/tenants/$tenantId/profile-schema'

/** The revision that `If-Match` names, by the version that a draft continues. Undo can lead back to an earlier one. */
type Etags = Readonly<Record<string, string | undefined>>

const keepEtag =
  ({ schema, etag }: CurrentSchema) =>
  (etags: Etags): Etags => ({ ...etags, [schema.version]: etag })

/** The draft of the next version, in several views. Nothing is saved before it is published. */
export function Editor({ tenantId, current }: { readonly tenantId: string; readonly current: CurrentSchema }) {
  const { view = 'fields', version } = useSearch({ from: route })
  const navigate = useNavigate({ from: '/tenants/$tenantId/profile-schema' })
  const queries = useQueryClient()
  const [editing, dispatch] = useReducer(reduceEditing, current.schema, startEditing)
  const [etags, setEtags] = useState<Etags>({ [current.schema.version]: current.etag })
  const [theirs, setTheirs] = useState<OtherVersion>()
  const submitted = useRef<string>(undefined)
  const [dialog, setDialog] = useState<'check' | 'publish' | null>(null)
  const [typed, setTyped] = useState<string>()
  const now = useRef(editing)
  now.current = editing
  const can = useCan()('schema:write', tenantId)
  const edit = useCallback((action: EditorAction) => dispatch(action), [])
  const show = (next: string) =>
    void navigate({ search: { view: next === 'fields' ? undefined : next }, replace: true, resetScroll: false })
  const { problems, context, setProblems, clearProblems } = useProblems(edit, show)
  const { draft, base } = editing
  const changed = useMemo(() => isChanged(editing), [editing])
  const languages = useMemo(() => languagesOf(draft), [draft])
  const parts = useMemo(
    () => ({ tenantId, draft, base, edit, problems, languages }),
    [tenantId, draft, base, edit, problems, languages],
  )
  // Another operator may publish while this page is open. What is not edited follows; a draft stays until it is published.
  const latest = useQuery(schemaQuery(tenantId)).data
  useEffect(() => {
    if (latest === undefined) return
    const isSame = latest.schema.version === now.current.base.version
    if (!isSame && isChanged(now.current)) return
    setEtags(keepEtag(latest))
    if (!isSame) dispatch({ do: 'rebase', base: latest.schema })
  }, [latest])

  /** The version is current: go on from it. */
  async function continueFrom(published: CurrentSchema): Promise<void> {
    queries.setQueryData(schemaQuery(tenantId).queryKey, published)
    setEtags(keepEtag(published))
    clearProblems()
    setTyped(undefined)
    dispatch({ do: 'rebase', base: published.schema })
    await queries.invalidateQueries({ queryKey: versionsQuery(tenantId).queryKey.slice(0, 2) })
    await queries.invalidateQueries({ queryKey: ['readProfileMigration', { tenantId }] })
  }

  async function published({ state, version: name }: Publication): Promise<void> {
    if (state === 'current') {
      await continueFrom(await readCurrentSchema(tenantId))
      setDialog(null)
      toast(`Version ${name} is current.`)
    } else {
      submitted.current = name
      setEtags(keepEtag(await readCurrentSchema(tenantId)))
      await queries.invalidateQueries({ queryKey: versionsQuery(tenantId).queryKey.slice(0, 2) })
      if (state === 'building') setDialog(null)
    }
  }

  /** A version was built in the background. What was edited since then stays the draft. */
  async function built(current: CurrentSchema): Promise<void> {
    const { draft: mine } = now.current
    const isPublished = isSameDocument({ ...mine, version: undefined, migrations: [] }, draftAfter(current.schema))
    if (!isChanged(now.current) || isPublished) return continueFrom(current)
    // One of another operator is merged when the draft is published.
    if (current.schema.version !== submitted.current) return
    dispatch({ do: 'rebase', base: current.schema, draft: mine })
    setEtags(keepEtag(current))
  }

  /** Goes on from their version: with the merged draft, or with theirs alone. Undo brings mine back. */
  function adopt(merged?: Draft): void {
    const { current: next } = theirs!
    queries.setQueryData(schemaQuery(tenantId).queryKey, next)
    setEtags(keepEtag(next))
    clearProblems()
    setTyped(undefined)
    dispatch({ do: 'adopt', base: next.schema, ...(merged && { draft: merged }) })
    setTheirs(undefined)
    if (merged) toast(`Merged with version ${next.schema.version}. Check the draft, then publish it.`)
  }

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
          state={changed && <State tone="warn">Not published</State>}
          actions={
            <>
              <Group gap={4}>
                <Tooltip label="Undo">
                  <ActionIcon
                    variant="default"
                    size={36}
                    aria-label="Undo"
                    disabled={editing.past.length === 0}
                    onClick={() => edit({ do: 'undo' })}
                  >
                    <IconArrowBackUp size={18} />
                  </ActionIcon>
                </Tooltip>
                <Tooltip label="Redo">
                  <ActionIcon
                    variant="default"
                    size={36}
                    aria-label="Redo"
                    disabled={editing.future.length === 0}
                    onClick={() => edit({ do: 'redo' })}
                  >
                    <IconArrowForwardUp size={18} />
                  </ActionIcon>
                </Tooltip>
              </Group>
              {changed && (
                <Button variant="default" onClick={() => edit({ do: 'discard' })}>
                  Discard
                </Button>
              )}
              <Button variant="default" onClick={() => setDialog('check')}>
                Check
              </Button>
              {can && (
                <Button disabled={!changed} onClick={() => setDialog('publish')}>
                  Publish…
                </Button>
              )}
            </>
          }
        >
          <BuildState tenantId={tenantId} base={base} onCurrent={built} />
          <MigrationProgress tenantId={tenantId} />
          <ProblemSummary />
          <SegmentedControl
            aria-label="View"
            value={view}
            data={views}
            mb="md"
            maw="100%"
            style={{ overflowX: 'auto' }}
            onChange={show}
          />
          <EditorView view={view} open={editing.open} typed={typed} onType={setTyped} />
          <Suspense>
            {dialog !== null && (
              <PublishDialog
                key={dialog}
                isCheckOnly={dialog === 'check'}
                etag={etags[base.version]}
                onClose={() => setDialog(null)}
                onProblems={setProblems}
                onPublished={published}
                onCurrent={(next) => setEtags(keepEtag(next))}
                onConflict={(next) => {
                  setDialog(null)
                  setTheirs(next)
                }}
              />
            )}
            {theirs !== undefined && (
              <MergeDialog
                theirs={theirs.current.schema}
                steps={theirs.steps}
                onMerge={adopt}
                onShowTheirs={() => adopt()}
                onClose={() => setTheirs(undefined)}
              />
            )}
            {version !== undefined && (
              <VersionDialog
                tenantId={tenantId}
                version={version}
                onClose={() => void navigate({ search: { view }, replace: true, resetScroll: false })}
              />
            )}
          </Suspense>
          <UnsavedChanges isChanged={changed} />
        </Page>
      </ProblemContext>
    </EditorContext>
  )
}
