import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { loadedBeside } from '../parts/pages/loaded-beside.ts'
import type { Draft } from './draft.ts'
import { useEditor } from './editor-context.ts'
import type { OnProblems } from './publishing/use-check.ts'
import type { NextVersion } from './publishing/use-next-version.ts'
import type { OtherVersion } from './schema-queries.ts'
import type { EditedDraft } from './use-draft.ts'

const MergeDialog = loadedBeside(import('./merge-dialog.tsx').then((file) => file.MergeDialog))
const PublishDialog = loadedBeside(import('./publishing/publish-dialog.tsx').then((file) => file.PublishDialog))
const VersionDialog = loadedBeside(import('./versions/version-dialog.tsx').then((file) => file.VersionDialog))

interface EditorDialogsProps {
  /** The dialog that the operator opened; null: none. */
  readonly open: 'check' | 'publish' | null
  readonly onClose: () => void
  readonly edited: EditedDraft
  readonly next: NextVersion
  /** What the server refuses of a draft. */
  readonly onProblems: OnProblems
}

/** Checking and publishing the draft, merging it when another operator was faster, and a published version. */
export function EditorDialogs({ open, onClose, edited, next, onProblems }: EditorDialogsProps) {
  const [theirs, setTheirs] = useState<OtherVersion>()
  function adopt(merged?: Draft): void {
    next.adopt(theirs!.current, merged)
    setTheirs(undefined)
  }
  return (
    <Suspense>
      {open !== null && (
        <PublishDialog
          key={open}
          isCheckOnly={open === 'check'}
          etag={edited.etag}
          onClose={onClose}
          onProblems={onProblems}
          onPublished={async (publication) => {
            await next.onPublished(publication)
            // The dialog shows why a version could not be built.
            if (publication.state !== 'failed') onClose()
          }}
          onCurrent={edited.keepEtag}
          onConflict={(other) => {
            onClose()
            setTheirs(other)
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
      <ShownVersion onStart={next.startFrom} />
    </Suspense>
  )
}

/** The version that the address names. */
function ShownVersion({ onStart }: { readonly onStart: NextVersion['startFrom'] }) {
  const { tenantId } = useEditor()
  const { view, version } = useSearch({ from: '/signed-in/tenants/$tenantId/profile-schema' })
  const navigate = useNavigate({ from: '/tenants/$tenantId/profile-schema' })
  if (version === undefined) return null
  const close = () => void navigate({ search: { view }, replace: true, resetScroll: false })
  return <VersionDialog tenantId={tenantId} version={version} onStart={onStart} onClose={close} />
}
