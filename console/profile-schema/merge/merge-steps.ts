import type { DraftField, FormStep } from '../draft.ts'
import { wordingIn } from '../languages.ts'
import { withOrWithout } from '../references.ts'
import { type Decisions, decidePresence, memberOf, ofEach, type Place, type Three } from './conflicts.ts'
import { idsOf } from './merge-fields.ts'
import { mergeOrder } from './merge-order.ts'
import { mergeRequired } from './merge-shown.ts'
import { mergeText } from './merge-text.ts'
import { restoreCondition } from './restore-condition.ts'
import { hasSameItems, isSame } from './same.ts'
import type { Side } from './sides.ts'

type Steps = readonly FormStep[]

/** The steps of base, mine and theirs by their ids. */
type StepsOfSides = readonly [base: StepsById, mine: StepsById, theirs: StepsById]
type StepsById = ReadonlyMap<string, FormStep>

/** The merged steps, before their fields are placed. */
interface MergedSteps {
  readonly steps: StepsById
  /** The step of each field that goes with the content that was chosen. */
  readonly settled: ReadonlyMap<string, string>
}

/**
 * The steps of a form in their order. A field that both put into different steps ends in one.
 * @param kept the fields of the merged document
 */
export function mergeSteps(
  decisions: Decisions,
  form: Place,
  [base, mine, theirs]: readonly [Steps, Steps, Steps],
  documents: readonly [Side, Side, Side],
  kept: ReadonlyMap<string, DraftField>,
): FormStep[] {
  const sides: StepsOfSides = [withIds(base, base), withIds(mine, base), withIds(theirs, base)]
  const { steps, settled } = mergeEach(decisions, form, sides, documents, kept)
  // A form has at least one step.
  if (steps.size === 0) return [...theirs]
  const lists = sides.map((one) => [...one.keys()]) as [string[], string[], string[]]
  const order = mergeOrder(...lists, steps.keys())
  const required = [base, mine, theirs].map((all) => all.flatMap((step) => step.required ?? []))
  const members = new Map<string, string[]>(order.map((id) => [id, []]))
  for (const field of new Set([...base, ...mine, ...theirs].flatMap(({ fields = [] }) => fields))) {
    const id = stepOf(decisions, form, field, sides, documents, settled)
    if (id !== undefined && steps.get(id)?.verify === undefined) members.get(id)?.push(field)
  }
  return order.map((id) => {
    const { fields: _fields, required: _required, ...step } = steps.get(id)!
    if (step.verify !== undefined) return step
    const three = ofEach(sides, (one) => one.get(id))
    const lists = three.map((one) => one?.fields ?? []) as [string[], string[], string[]]
    const fields = mergeOrder(...lists, members.get(id)!)
    const ofStep = mergeRequired(three, fields, required as [string[], string[], string[]])
    return { ...step, fields, ...(ofStep && { required: ofStep }) }
  })
}

/** The steps that stay, each with its own members merged. */
function mergeEach(
  decisions: Decisions,
  form: Place,
  sides: StepsOfSides,
  [, mine, theirs]: readonly [Side, Side, Side],
  kept: ReadonlyMap<string, DraftField>,
): MergedSteps {
  const steps = new Map<string, FormStep>()
  const settled = new Map<string, string>()
  const settle = (id: string) => {
    for (const field of steps.get(id)!.fields ?? []) settled.set(field, id)
  }
  for (const id of idsOf(...sides)) {
    const three = ofEach(sides, (one) => one.get(id))
    const [before, own, other] = three
    const name = `${titleOf(own ?? other ?? before!)} of ${form.name}`
    const place: Place = { what: 'step', id: `${form.id} ${id}`, name }
    const presence = decidePresence(decisions, place, three, (side) => !isSame(before, side === 'mine' ? own : other))
    if (presence === 'none') continue
    if (presence === 'both') {
      const step = mergeStep(decisions, place, three)
      const conditions = memberOf(three, 'visibleWhen')
      const visibleWhen = restoreCondition(step.visibleWhen, conditions, { mine, theirs }, kept)
      steps.set(id, withOrWithout(step, 'visibleWhen', visibleWhen))
      if (own!.verify !== other!.verify) settle(id)
    } else {
      steps.set(id, presence === 'mine' ? own! : other!)
      // Kept against a removal: with its fields.
      if (before !== undefined) settle(id)
    }
  }
  return { steps, settled }
}

/** The step that has a field: where the only one put it that moved it, or the chosen one. */
function stepOf(
  decisions: Decisions,
  form: Place,
  field: string,
  sides: StepsOfSides,
  documents: readonly [Side, Side, Side],
  settled: MergedSteps['settled'],
): string | undefined {
  const places = ofEach(sides, (one) => [...one].find(([, { fields }]) => fields?.includes(field))?.[0])
  const [, own, other] = documents.map(({ fields }) => fields.get(field))
  if (own === undefined || other === undefined) return settled.get(field) ?? places[own === undefined ? 2 : 1]
  const place: Place = { what: 'field', id: field, name: wordingIn(own.label) || own.name }
  const decided = decisions.pick(place, `step in ${form.id}`, places, (id) => {
    const step = sides.map((one) => one.get(id)).find((one) => one !== undefined)
    return step && titleOf(step)
  })
  return settled.get(field) ?? decided
}

const titleOf = ({ title, step }: FormStep): string => wordingIn(title) || step

function mergeStep(decisions: Decisions, place: Place, three: Three<FormStep>): FormStep {
  const [, own, other] = three
  let step = own!
  const set = (key: keyof FormStep, value: unknown) => {
    step = withOrWithout(step, key, value)
  }
  for (const key of ['step', 'visibleWhen'] as const) {
    set(key, decisions.pick(place, key, memberOf(three, key)))
  }
  // A step has either fields or an address to verify.
  if (own!.verify !== other!.verify) {
    const contents = ofEach(three, ({ verify, fields, required }) => ({ verify, fields, required }))
    const content = decisions.pickContent(place, 'content', contents)
    for (const key of ['verify', 'fields', 'required'] as const) set(key, content?.[key])
  }
  for (const key of ['title', 'description'] as const) {
    set(key, mergeText(decisions, place, key, memberOf(three, key)))
  }
  return step
}

/** A step is the base's one of the same name, or one that is gone and had the same fields. */
function withIds(steps: Steps, base: Steps): Map<string, FormStep> {
  const names = new Set(steps.map(({ step }) => step))
  const known = new Set(base.map(({ step }) => step))
  const gone = new Set(base.filter(({ step }) => !names.has(step)))
  const found = new Map<string, FormStep>()
  for (const step of steps) {
    const fields = step.fields ?? []
    const origin = known.has(step.step)
      ? step
      : [...gone].find((one) => fields.length > 0 && hasSameItems(one.fields ?? [], fields))
    if (origin !== undefined) gone.delete(origin)
    let id = origin === undefined ? `+${step.step}` : `=${origin.step}`
    while (found.has(id)) id = `+${id}`
    found.set(id, step)
  }
  return found
}
