import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formStateOf } from '../../../../contract/fields/forms/form-state.ts'
import { refusedFields } from '../../../../server/profiles/form-state.ts'
import { compileProfileSchema } from '../../../../server/profiles/schema/compile-profile-schema.ts'
import { defineProfileSchema } from '../../../../server/profiles/schema/define/define-profile-schema.ts'
import { publicSchema } from '../../../../server/profiles/schema/public-schema.ts'
import { randomConditionalSchema, randomValues } from '../../../../server/profiles/schema/random-conditions.testkit.ts'
import { NOW } from '../../../../server/profiles/schema/schema.testkit.ts'
import { seededRandom } from '../../../../test/campaign/seeded-random.ts'
import { sampleSize } from '../../../../test/support/runner/sample-size.ts'
import { validateProfile } from '../profile.ts'
import { emptyForm } from './form-state.ts'
import { shownForm } from './shown-form.ts'

test('shows steps as the service’s state of the form has them, and asks for nothing more (FORM-2)', () => {
  let compared = 0
  let incomplete = 0
  for (let round = 0; round < sampleSize(10_000, 1_000); round++) {
    const random = seededRandom('form progress', round)
    const areReadable = random.next() < 0.7
    const components = randomConditionalSchema(random).map(({ readable, ...one }) => ({
      ...one,
      ...(areReadable || readable === undefined ? {} : { readable }),
    }))
    const names = random.shuffled(components.map(({ name }) => name))
    const steps = [names.slice(0, 3), names.slice(3)].map((fields, index) => ({
      step: `step${index}`,
      fields,
      required: fields.filter(() => random.next() < 0.3),
    }))
    const outcome = defineProfileSchema({ components, forms: { welcome: { steps } } })
    // It is refused for other reasons, such as a note in a form.
    if ('validation' in outcome) continue
    const compiled = compileProfileSchema(outcome.schema)
    const stored = randomValues(random, components, false)

    const values = compiled.present(stored, 'operator')
    const expected = formStateOf(outcome.schema.forms['welcome']!, {
      values,
      hidden: compiled.hidden(stored),
      refused: refusedFields(compiled, values, NOW),
      asked: compiled.asked(stored),
      verified: { email: false, phone: false },
    })

    const schema = publicSchema(outcome.schema)
    const shown = compiled.present(stored)
    const state = { ...emptyForm, stored: shown }
    const form = shownForm(schema, 'welcome', state, null, validateProfile)
    const actual = form.steps.map(({ step, complete, missing, invalid }) => ({ step, complete, missing, invalid }))
    const context = JSON.stringify({ round, components, stored })
    compared++
    if (!expected.complete) incomplete++
    if (areReadable) assert.deepEqual(actual, expected.steps, context)
    // Of values that the user cannot read, the service knows more.
    for (const { step, missing, invalid } of actual) {
      const known = expected.steps.find((one) => one.step === step)
      for (const name of missing) assert.ok(known?.missing.includes(name), `${name} ${context}`)
      for (const name of invalid) assert.ok(known?.invalid.includes(name), `${name} ${context}`)
    }
  }
  assert.ok(compared > 400 && incomplete > 100, `${compared} compared, ${incomplete} incomplete`)
})
