import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionState } from '../session/session.ts'
import { mounted, plain } from './profile-form.testkit.ts'
import type { Submission } from './submission.ts'

test('neither sends nor keeps what is entered in a field that a condition hides', async () => {
  const { form, sent } = await mounted({ kind: 'firm', vat: 'DE1' })
  form.setValue('vat', 'DE2')
  form.setValue('kind', 'person')
  assert.equal(await form.submit(plain), true)
  assert.deepEqual(sent, [{ kind: 'person' }])
  assert.deepEqual(form.state.get().entered, {})
})

test('ignores values for a field that a condition locks', async () => {
  const { form } = await mounted({ kind: 'firm', level: 9 })
  form.setValue('kind', 'person')
  assert.deepEqual(form.state.get().entered, {})
})

test('turns the refusal of a field that is not shown into the error of the form', async () => {
  const { form, service, sent } = await mounted({ kind: 'firm', seal: 'x' })
  const validate = () => ({ seal: 'Validation rule not met' })
  const refusal = { code: 'VALIDATION_ERROR', validation: { seal: 'Validation rule not met' } }
  service.error = Object.assign(new Error(), refusal)
  form.setValue('kind', 'person')
  assert.equal(await form.submit({ ...plain, validate }), false)
  assert.deepEqual([sent.length, form.state.get().errors], [1, {}])
  assert.equal(form.state.get().error, service.error)
})

test('gives the stored profile and the rules to validate', async () => {
  const { form } = await mounted({ firstName: 'Ada' })
  form.setValue('tags', ['x'])
  const validate: Submission['validate'] = (_, values, { current, details } = {}) => {
    assert.deepEqual([values, current!['firstName']], [{ tags: ['x'] }, 'Ada'])
    details!['tags'] = { rule: 'maxItems', maxItems: 0 }
    return { tags: 'Validation rule not met' }
  }
  assert.equal(await form.submit({ ...plain, validate }), false)
  assert.deepEqual(form.state.get().details, { tags: { rule: 'maxItems', maxItems: 0 } })
})

test('walks through the steps of a form, saving each', async () => {
  const { form, sent, service, become } = await mounted({})
  const welcome = { ...plain, form: 'welcome' }
  assert.equal(await form.next(welcome), false)
  assert.deepEqual(
    [form.state.get().errors, form.state.get().details],
    [{ kind: 'Required' }, { kind: { rule: 'required' } }],
  )
  form.setValue('kind', 'firm')
  form.setValue('vat', 'DE1')
  assert.equal(await form.next(welcome), true)
  assert.deepEqual(sent, [{ kind: 'firm' }])
  assert.equal(form.state.get().step, 'mail')

  assert.equal(await form.next(welcome), false, 'the address is not verified yet')
  assert.equal(service.accountReads, 1)
  assert.equal(form.state.get().step, 'mail')
  await become({ status: 'signedIn', user: { id: 'ada', emailVerified: true } } as SessionState)
  assert.equal(await form.next(welcome), true)
  form.back({ form: 'welcome' })
  assert.equal(form.state.get().step, 'mail')
  await form.next(welcome)
  assert.equal(await form.next(welcome), true)
  assert.deepEqual(sent, [{ kind: 'firm' }, { vat: 'DE1' }])
  assert.equal(form.state.get().step, 'more', 'the last step stays open')
})

/** A form whose first step is being saved, and what ends the save. */
async function savingStep() {
  const mount = await mounted({})
  const { form, service } = mount
  const gate = Promise.withResolvers<void>()
  const { save } = service
  service.save = (update) => gate.promise.then(() => save(update))
  await mount.become({ status: 'signedIn', user: { id: 'ada', emailVerified: true } } as SessionState)
  form.setValue('kind', 'firm')
  return { ...mount, finish: gate.resolve }
}

test('opens one step when the user continues twice during a save', async () => {
  const { form, sent, finish } = await savingStep()
  const welcome = { ...plain, form: 'welcome' }
  const both = [form.next(welcome), form.next(welcome)]
  finish()
  assert.deepEqual(await Promise.all(both), [true, true])
  assert.deepEqual([form.state.get().step, sent], ['mail', [{ kind: 'firm' }]])
})

test('keeps a step open whose values the user changed during the save', async () => {
  const { form, sent, finish } = await savingStep()
  const welcome = { ...plain, form: 'welcome' }
  const saving = form.next(welcome)
  form.setValue('kind', 'person')
  finish()
  assert.equal(await saving, false)
  assert.deepEqual([form.state.get().step, form.state.get().entered], ['who', { kind: 'person' }])
  assert.equal(await form.next(welcome), true)
  assert.deepEqual([form.state.get().step, sent], ['mail', [{ kind: 'firm' }, { kind: 'person' }]])
})

test('asks for the account once the form that the session names is complete', async () => {
  const { form, service, become } = await mounted({ kind: 'firm' })
  const welcome = { ...plain, form: 'welcome' }
  const user = { id: 'ada', emailVerified: false }
  await become({ status: 'signedIn', user, nextForm: 'welcome' } as SessionState)
  form.setValue('kind', 'person')
  await form.submit(welcome)
  assert.equal(service.accountReads, 0)
  await become({ status: 'signedIn', user: { ...user, emailVerified: true }, nextForm: 'welcome' } as SessionState)
  await form.submit({ ...plain, form: undefined })
  assert.equal(service.accountReads, 0)
  await form.next(welcome)
  assert.equal(service.accountReads, 1)
})
