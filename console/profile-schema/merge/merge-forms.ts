import type { DraftField, ProfileForm } from '../draft.ts'
import { wordingIn } from '../languages.ts'
import { withOrWithout } from '../references.ts'
import { type Decisions, decidePresence, memberOf, ofEach, type Place, type Three } from './conflicts.ts'
import { idsOf, type Sides } from './merge-fields.ts'
import { mergeOrder } from './merge-order.ts'
import { mergeShown } from './merge-shown.ts'
import { mergeSteps } from './merge-steps.ts'
import { mergeText } from './merge-text.ts'
import { isSame } from './same.ts'
import type { Side } from './sides.ts'

export type NamedForm = ProfileForm & { readonly name: string }

/**
 * The forms of the merged document in their order, with ids as fields.
 * @param fields of the merged document
 */
export function mergeForms(
  decisions: Decisions,
  { base, mine, theirs }: Sides,
  fields: ReadonlyMap<string, DraftField>,
): Map<string, NamedForm> {
  const sides = [base, mine, theirs] as const
  const merged = new Map<string, NamedForm>()
  for (const id of idsOf(base.forms, mine.forms, theirs.forms)) {
    const three = ofEach(sides, ({ forms }) => forms.get(id))
    const [before, own, other] = three
    const shown = own ?? other ?? before!
    const place: Place = { what: 'form', id, name: wordingIn(shown.title) || shown.name }
    const presence = decidePresence(decisions, place, three, (side) => !isSame(before, side === 'mine' ? own : other))
    if (presence === 'mine') merged.set(id, own!)
    else if (presence === 'theirs') merged.set(id, other!)
    else if (presence === 'both') merged.set(id, mergeForm(decisions, place, three, sides, fields))
  }
  const prompted = decidePrompt(decisions, sides)
  const lists = sides.map(({ forms }) => [...forms.keys()]) as [string[], string[], string[]]
  return new Map(
    mergeOrder(...lists, merged.keys()).map((id) => {
      const { prompt: _prompt, promptAgainDays: _days, ...form } = merged.get(id)!
      return [id, id === prompted?.id ? { ...form, ...prompted.prompt } : form]
    }),
  )
}

type Prompt = Pick<ProfileForm, 'prompt' | 'promptAgainDays'>

/** Only one form of a schema can be asked for after sign-in. */
function decidePrompt(
  decisions: Decisions,
  sides: readonly [Side, Side, Side],
): { id: string; prompt: Prompt } | undefined {
  const prompts = ofEach(sides, ({ forms }) => {
    const [found] = [...forms].filter(([, { prompt }]) => prompt !== undefined)
    if (found === undefined) return undefined
    const [id, { prompt, promptAgainDays }] = found
    return { id, prompt: { prompt, ...(promptAgainDays !== undefined && { promptAgainDays }) } as Prompt }
  })
  const place: Place = { what: 'schema', id: '', name: 'after sign-in' }
  return decisions.pick(place, 'prompt', prompts, ({ id, prompt: { promptAgainDays: days } }) => {
    const form = sides.map(({ forms }) => forms.get(id)).find((one) => one !== undefined)
    const name = wordingIn(form?.title) || form?.name
    return days === undefined ? name : `${name}, again after ${days} days`
  })
}

const kindOf = (form: ProfileForm | undefined) => form && (form.steps === undefined ? 'fields' : 'steps')
const contentOf = (form: ProfileForm | undefined) =>
  form && { fields: form.fields, required: form.required, steps: form.steps }

function mergeForm(
  decisions: Decisions,
  place: Place,
  three: Three<NamedForm>,
  sides: readonly [Side, Side, Side],
  merged: ReadonlyMap<string, DraftField>,
): NamedForm {
  const [before, own, other] = three
  let form = own!
  const set = (key: keyof NamedForm, value: unknown) => {
    form = withOrWithout(form, key, value)
  }
  const text = (key: 'title' | 'description') => set(key, mergeText(decisions, place, key, memberOf(three, key)))
  set('name', decisions.pick(place, 'name', memberOf(three, 'name')))
  text('title')
  text('description')
  if (kindOf(own) !== kindOf(other)) {
    const content = decisions.pickContent(place, 'content', ofEach(three, contentOf))!
    for (const key of ['fields', 'required', 'steps'] as const) set(key, content[key])
  } else if (kindOf(own) === 'steps') {
    const steps = [kindOf(before) === 'steps' ? before!.steps! : [], own!.steps!, other!.steps!] as const
    set('steps', mergeSteps(decisions, place, steps, sides, merged))
  } else {
    const { fields, required } = mergeShown(three)
    set('fields', fields)
    set('required', required)
  }
  return form
}
