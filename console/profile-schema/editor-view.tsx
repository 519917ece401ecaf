import { Skeleton, Stack } from '@mantine/core'
import { Suspense, use, useEffect, useState } from 'react'
import { loadedBeside } from '../parts/pages/loaded-beside.ts'
import { useEditor } from './editor-context.ts'
import { AddToList } from './fields/add-field.tsx'
import { FieldList } from './fields/field-list.tsx'
import classes from './fields/field-row.module.css'
import type { TypedText } from './json-view.tsx'
import { ProblemContext } from './problems/problem-context.tsx'

const FormPreview = loadedBeside(import('./forms/form-preview.tsx').then((file) => file.FormPreview))
const FormsEditor = loadedBeside(import('./forms/forms-editor.tsx').then((file) => file.FormsEditor))
const MigrationsEditor = loadedBeside(
  import('./migrations/migrations-editor.tsx').then((file) => file.MigrationsEditor),
)
const JsonView = loadedBeside(import('./json-view.tsx').then((file) => file.JsonView))
const Versions = loadedBeside(import('./versions/versions.tsx').then((file) => file.Versions))

interface EditorViewProps {
  readonly view: string
  readonly open: string | null
  readonly typed: TypedText | undefined
  readonly onType: (typed: TypedText) => void
}

export function EditorView({ view, open, typed, onType }: EditorViewProps) {
  const { tenantId, draft } = useEditor()
  const [form, setForm] = useState('')
  const { target } = use(ProblemContext)
  useEffect(() => {
    if (target?.owner.startsWith('form:')) setForm(target.owner.slice('form:'.length))
  }, [target])
  if (view === 'json' || view === 'versions') {
    return (
      <Suspense fallback={<Skeleton height={320} radius="lg" />}>
        {view === 'json' ? <JsonView typed={typed} onType={onType} /> : <Versions tenantId={tenantId} />}
      </Suspense>
    )
  }
  return (
    <div className={classes['columns']}>
      <Stack gap="sm" miw={0}>
        <Suspense fallback={<Skeleton height={320} radius="lg" />}>
          {view === 'forms' && <FormsEditor open={form} onOpen={setForm} />}
          {view === 'migrations' && <MigrationsEditor />}
        </Suspense>
        {view !== 'forms' && view !== 'migrations' && (
          <>
            <FieldList open={open} />
            <AddToList />
          </>
        )}
      </Stack>
      <div className={classes['beside']}>
        <Suspense fallback={<Skeleton height={320} radius="lg" />}>
          <FormPreview draft={draft} open={open} form={form} onForm={setForm} />
        </Suspense>
      </div>
    </div>
  )
}
