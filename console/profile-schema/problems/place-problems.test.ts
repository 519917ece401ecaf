import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOf } from '../../../server/profiles/schema/schema.testkit.ts'
import { documentOf, draftOf, type SchemaDocument } from '../draft.ts'
import { placeProblems } from './place-problems.ts'
import { problemTitle } from './problem-title.ts'

/** Title and control of each problem that the server finds. */
function placed(document: object): readonly (readonly [title: string, tab: string | undefined, control: string])[] {
  const draft = draftOf(document as SchemaDocument)
  return placeProblems(draft, problemsOf(documentOf(draft))).map((problem) => [
    problemTitle(draft, problem),
    problem.tab,
    problem.control,
  ])
}

const other = { name: 'kind', type: 'select', label: 'Account', options: [{ value: 'firm' }] }

test('problems of a field are at its inputs, in their tabs', () => {
  const field = {
    ...{ name: 'last', type: 'text', label: { default: 'Last name', fr: '' }, description: '', control: 'stars' },
    ...{
      rules: { pattern: '(', step: 3, constructor: 1 },
      messages: { pattern: '', 'No Rule': 'x' },
      required: 1,
      claim: true,
    },
    ...{ uniqueBy: 'exact', unknown: true },
  }
  assert.deepEqual(placed({ components: [field] }), [
    ['Last name', undefined, 'field:last'],
    ['Last name: Label, French (fr)', 'basics', 'field:last.label.fr'],
    ['Last name: Help text', 'basics', 'field:last.description'],
    ['Last name: Message of pattern', 'rules', 'field:last.messages.pattern'],
    ['Last name: Message of No Rule', 'rules', 'field:last.messages.No Rule'],
    ['Last name: Required', 'basics', 'field:last.required'],
    ['Last name', undefined, 'field:last'],
    ['Last name: In access tokens', 'access', 'field:last.claim'],
    ['Last name: Shown as', 'basics', 'field:last.control'],
    ['Last name: Pattern', 'rules', 'field:last.rules.pattern'],
    ['Last name: Rules', 'rules', 'field:last.rules'],
    ['Last name: Rules', 'rules', 'field:last.rules'],
  ])
})

test('fields without a sound name are found by their index', () => {
  const titles = placed({ components: [{ name: 'No name', type: 'text' }, other, { ...other, label: 'Again' }] })
  assert.deepEqual(titles, [
    ['No name: Name', 'basics', 'field:No name.name'],
    ['Again: Name', 'basics', 'field:kind+.name'],
  ])
})

test('problems of conditions are at the combination, the field or the value', () => {
  const visibleWhen = {
    all: [
      { field: 'ghost', set: true },
      { field: 'kind', is: 'none' },
      { not: { field: 'age', min: 5, max: 1 } },
      { any: [] },
      { field: 'kind', in: ['firm', 'none'] },
    ],
  }
  const components = [other, { name: 'age', type: 'integer' }, { name: 'vat', type: 'text', label: 'VAT', visibleWhen }]
  assert.deepEqual(
    placed({ components }).map(([, tab, control]) => [tab, control]),
    [
      ['conditions', 'field:vat.visibleWhen.0.field'],
      ['conditions', 'field:vat.visibleWhen.1.value'],
      ['conditions', 'field:vat.visibleWhen.2.0.min'],
      ['conditions', 'field:vat.visibleWhen.3'],
      ['conditions', 'field:vat.visibleWhen.4.value'],
    ],
  )
})

test('problems of options are at their inputs', () => {
  const options = [
    { value: 'a', label: '' },
    { value: 'a', when: { field: 'ghost', set: true } },
  ]
  assert.deepEqual(placed({ components: [{ ...other, options }] }), [
    ['Account: Option 1, Label', 'options', 'field:kind.options.0.label'],
    ['Account: Option 2', 'options', 'field:kind.options.1.value'],
    ['Account: Option 2, Can be chosen only while', 'options', 'field:kind.options.1.when.field'],
  ])
  assert.deepEqual(placed({ components: [{ ...other, options: [] }] }), [
    ['Account: Options', 'options', 'field:kind.options'],
  ])
})

test('problems of sections, forms and steps are at theirs', () => {
  const presentation = [{ section: 'Bad name', title: 'Us', description: '', fields: ['ghost'] }]
  const forms = {
    signUp: { title: 'Join', fields: ['kind'], required: ['kind', 'ghost'], promptAgainDays: 1 },
    later: {
      promptAgainDays: 4000,
      prompt: 'signIn',
      steps: [
        { step: 'one', title: '', fields: ['kind', 'ghost'], required: ['kind'] },
        { step: 'one', verify: 'fax', visibleWhen: { field: 'ghost', set: true } },
      ],
    },
    empty: { steps: [] },
  }
  assert.deepEqual(
    placed({ components: [{ ...other, writable: false }], presentation, forms, migrations: [{ drop: '' }] }).map(
      ([title, , control]) => [title, control],
    ),
    [
      ['Section Us: Name', 'section:Bad name.section'],
      ['Section Us', 'section:Bad name'],
      ['Section Us: Description', 'section:Bad name.description'],
      ['Form Join: Fields', 'form:signUp.fields'],
      ['Form Join: Required 1', 'form:signUp.required.0'],
      ['Form Join', 'form:signUp'],
      ['Form later: Step 1, Title', 'form:later.steps.0.title'],
      ['Form later: Step 1, Fields 2', 'form:later.steps.0.fields.1'],
      ['Form later: Step 1, Required 1', 'form:later.steps.0.required.0'],
      ['Form later: Step 2', 'form:later.steps.1.step'],
      ['Form later: Step 2, The user', 'form:later.steps.1.verify'],
      ['Form later: Step 2, Shown only while', 'form:later.steps.1.visibleWhen.field'],
      ['Form later: Ask again after', 'form:later.promptAgainDays'],
      ['Form empty: Steps', 'form:empty.steps'],
      ['Migration step 1', 'migration:0'],
    ],
  )
})

test('a problem of the whole document has no control', () => {
  const draft = draftOf({ components: [], version: 'no version' })
  const [problem] = placeProblems(draft, problemsOf(documentOf(draft)))
  assert.deepEqual([problem?.view, problem?.owner, problem && problemTitle(draft, problem)], ['json', '', 'version'])
})
