import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Annotation, EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { styleNonce } from '../nonce.ts'
import { placesOf, readJson } from './json-positions.ts'

export interface JsonEditorProps {
  /** What is edited, for screen readers. */
  readonly label: string
  /** Replaces the text when it differs from what is shown. */
  readonly value: string
  /** Left out: the text cannot be changed. */
  readonly onChange?: (text: string) => void
  /** The server's messages by path: `error.validation`. */
  readonly problems?: Readonly<Record<string, string>>
  readonly minHeight?: number | string
  readonly maxHeight?: number | string
}

/** Marks a change that comes from outside, which is not reported. */
const fromOutside = Annotation.define<true>()

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'light-dark(#0b5a52, #75d5c7)' },
  { tag: tags.string, color: 'light-dark(#7a3e00, #f0b27a)' },
  { tag: tags.number, color: 'light-dark(#1d479f, #a9c4fb)' },
  { tag: [tags.bool, tags.null], color: 'light-dark(#7b2a8b, #e0aaf0)' },
])

const look = EditorView.theme({
  '&': { fontSize: '0.8125rem', backgroundColor: 'var(--panel)', color: 'var(--mantine-color-text)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.6' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--mantine-color-dimmed)', border: 'none' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-activeLine': { backgroundColor: 'light-dark(#f0f2f480, #1d232a80)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'light-dark(#bfe6df, #1d4f49) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--panel)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
  },
})

/** CodeMirror; Tab leaves it, as it leaves every other field. */
export function JsonEditorView({ label, value, onChange, problems, minHeight = 320, maxHeight }: JsonEditorProps) {
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const report = useRef(onChange)
  report.current = onChange
  const isReadOnly = onChange === undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the value of later renders is set below
  useEffect(() => {
    const editor = new EditorView({
      parent: parent.current!,
      doc: value,
      extensions: [
        EditorView.cspNonce.of(styleNonce),
        ...[lineNumbers(), history(), drawSelection(), highlightActiveLine(), indentOnInput(), bracketMatching()],
        ...[json(), syntaxHighlighting(colours), lintGutter(), look, EditorView.lineWrapping],
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || update.transactions.some((one) => one.annotation(fromOutside))) return
          report.current?.(update.state.doc.toString())
        }),
      ],
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, isReadOnly])
  useEffect(() => {
    const editor = view.current!
    if (editor.state.doc.toString() === value) return
    const changes = { from: 0, to: editor.state.doc.length, insert: value }
    editor.dispatch({ changes, annotations: fromOutside.of(true) })
  }, [value])
  useEffect(() => {
    const editor = view.current!
    editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(value, problems ?? {})))
  }, [value, problems])
  const style = { minHeight, maxHeight, overflow: 'auto', display: 'grid' }
  return <div ref={parent} className="panel" dir="ltr" style={style} />
}

function diagnosticsOf(text: string, problems: Readonly<Record<string, string>>): Diagnostic[] {
  const read = readJson(text)
  if ('mistake' in read) return [{ ...read.mistake, severity: 'error' }]
  const paths = Object.keys(problems)
  return placesOf(text, paths).map((place, index) => {
    const path = paths[index]!
    return { ...place, severity: 'error', message: `${path}: ${problems[path]}` }
  })
}
