import { useCallback, useMemo, useRef, useState } from 'react'
import type { Draft } from '../draft.ts'
import type { EditorAction } from '../editing.ts'
import { focusControl } from './focus-control.ts'
import { type ControlPlace, type PlacedProblem, placeProblems } from './place-problems.ts'
import { messagesOf, type Problems } from './problem-context.tsx'

type ByPath = Readonly<Record<string, string>>

const none: ByPath = {}

interface Found {
  /** As the server names them. */
  readonly problems: ByPath
  readonly context: Problems
  /** @param checked the draft that the server was asked about */
  readonly setProblems: (problems: ByPath, checked: Draft) => void
  readonly clearProblems: () => void
}

/** The problems of the last check, until the next one. */
export function useProblems(edit: (action: EditorAction) => void, show: (view: ControlPlace['view']) => void): Found {
  const [problems, setByPath] = useState(none)
  const [placed, setPlaced] = useState<readonly PlacedProblem[]>([])
  const [target, setTarget] = useState<ControlPlace | null>(null)
  const showing = useRef(show)
  showing.current = show
  const setProblems = useCallback((next: ByPath, checked: Draft) => {
    setByPath(next)
    setPlaced(placeProblems(checked, next))
    setTarget(null)
  }, [])
  const clearProblems = useCallback(() => {
    setByPath(none)
    setPlaced([])
    setTarget(null)
  }, [])
  const goTo = useCallback(
    (place: ControlPlace) => {
      // Another object each time: what was closed meanwhile opens again.
      setTarget({ ...place })
      if (place.owner.startsWith('field:')) edit({ do: 'open', key: place.owner.slice('field:'.length) })
      showing.current(place.view)
      if (place.control !== '') focusControl(place.control)
    },
    [edit],
  )
  const context = useMemo(() => ({ placed, messages: messagesOf(placed), target, goTo }), [placed, target, goTo])
  return { problems, context, setProblems, clearProblems }
}
