import { createContext, type ReactNode, useContext } from 'react'
import type { ControlPlace, PlacedProblem } from './place-problems.ts'

/** The problems of the last check, and the way to their controls. */
export interface Problems {
  readonly placed: readonly PlacedProblem[]
  /** The messages by the address of their control. */
  readonly messages: ReadonlyMap<string, string>
  /** The control that the operator wants to see. */
  readonly target: ControlPlace | null
  readonly goTo: (place: ControlPlace) => void
}

const none: Problems = { placed: [], messages: new Map(), target: null, goTo: () => undefined }

export const ProblemContext = createContext<Problems>(none)

/** The messages of each control. */
export function messagesOf(placed: readonly PlacedProblem[]): ReadonlyMap<string, string> {
  const messages = new Map<string, string>()
  for (const { control, message } of placed) {
    const before = messages.get(control)
    messages.set(control, before === undefined ? message : `${before}; ${message}`)
  }
  return messages
}

const Scope = createContext('')

const inside = (scope: string, member: string): string => (scope === '' ? member : `${scope}.${member}`)

/** Makes addresses inside relative to `at`, which is relative to the scope around. */
export function ProblemScope({ at, children }: { readonly at: string; readonly children: ReactNode }) {
  return <Scope value={inside(useContext(Scope), at)}>{children}</Scope>
}

/** What an input needs to show its problem, and to be found from the summary. */
export interface ProblemProps {
  readonly 'data-control': string
  readonly 'aria-invalid'?: true
  /** Mantine shows it below the input and names it in `aria-describedby`. */
  readonly error?: string
}

/** Props of inputs by their address in the scope. */
export function useProblemProps(): (member: string) => ProblemProps {
  const scope = useContext(Scope)
  const { messages } = useContext(ProblemContext)
  return (member) => {
    const control = inside(scope, member)
    const error = messages.get(control)
    return { 'data-control': control, ...(error !== undefined && { error, 'aria-invalid': true }) }
  }
}

/** How many problems are at an address and below it. */
export function useProblemCount(): (member?: string) => number {
  const scope = useContext(Scope)
  const { placed } = useContext(ProblemContext)
  return (member) => {
    const address = member === undefined ? scope : inside(scope, member)
    return placed.filter(({ control }) => control === address || control.startsWith(`${address}.`)).length
  }
}
