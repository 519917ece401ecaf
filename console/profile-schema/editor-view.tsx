import { Skeleton, Stack } from '@mantine/core'
import { lazy, Suspense, use, useEffect, useState } from 'react'
import { useEditor } from './editor-context.ts'
import { AddToList } from './fields/add-field.tsx'
import { FieldList } from './fields/field-list.tsx'
import classes from './fields/field-row.module.css'
import type { TypedText } from './json-view.tsx'
import { ProblemContext } from './problems/problem-context.tsx'

const FormPreview = lazy(async () => ({ default: (await import('./forms/form-preview.tsx')).FormPreview }))
const FormsEditor = lazy(async () => ({ default: (await import('./forms/forms-editor.tsx')).FormsEditor }))
const MigrationsEditor = lazy(async () => ({
  default: (await import('./migrations/migrations-editor.tsx')).MigrationsEditor,
}))
const JsonView = lazy(async () => ({ default: (await import('./json-view.tsx')).JsonView }))
const Versions = lazy(async () => ({ default: (await import('./versions/versions.tsx')).Versions }))

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
