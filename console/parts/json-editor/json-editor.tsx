import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { JsonEditorProps } from './json-editor-view.tsx'

/** Loads the editor's file, which is large. */
export const loadJsonEditor = () => import('./json-editor-view.tsx')
const View = lazy(async () => ({ default: (await loadJsonEditor()).JsonEditorView }))

/** A text editor for JSON that marks mistakes, and the server's problems at their lines. Loaded when it is first shown. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={320} radius="md" />}>
      <View {...props} />
    </Suspense>
  )
}
