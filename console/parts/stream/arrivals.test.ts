import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ArrivalsAction, arrivalsReducer, heldText, kept, noArrivals } from './arrivals.ts'

interface Item {
  readonly id: string
}

const arrived = (...ids: string[]): ArrivalsAction<Item> => ({ type: 'arrived', items: ids.map((id) => ({ id })) })
const paused = { type: 'paused' } as const
const after = (...actions: ArrivalsAction<Item>[]) => {
  const { items, held, isPaused } = actions.reduce(arrivalsReducer<Item>, noArrivals)
  return { shown: idsOf(items), held: idsOf(held), isPaused }
}
const idsOf = (items: readonly Item[]) => items.map(({ id }) => id).join(' ')

describe('what arrives of a stream', () => {
  test('is shown with the latest arrival first, whatever its id', () => {
    assert.equal(after(arrived('b', 'c'), arrived('a')).shown, 'a c b')
  })

  test('is shown once, also when a resumed stream repeats it', () => {
    assert.equal(after(arrived('a', 'b'), arrived('a', 'b', 'b', 'c')).shown, 'c b a')
    assert.deepEqual(after(arrived('a'), paused, arrived('a', 'b'), arrived('b')), {
      ...{ shown: 'a', held: 'b', isPaused: true },
    })
  })

  test('keeps the same state when nothing is new, so that nothing renders', () => {
    const state = arrivalsReducer<Item>(noArrivals, arrived('a'))
    assert.equal(arrivalsReducer(state, arrived('a')), state)
  })

  test('is held back while it is paused, and shown in order when it goes on', () => {
    const held = [arrived('a'), paused, arrived('b'), arrived('c')]
    assert.deepEqual(after(...held), { shown: 'a', held: 'c b', isPaused: true })
    assert.deepEqual(after(...held, { type: 'resumed' }), { shown: 'c b a', held: '', isPaused: false })
  })

  test('is kept up to a number', () => {
    const ids = Array.from({ length: kept + 1 }, (_, index) => `${index}`)
    for (const actions of [[arrived(...ids)], [paused, arrived(...ids)]]) {
      const { shown, held } = after(...actions)
      const list = (shown || held).split(' ')
      assert.deepEqual([list.length, list[0], list.at(-1)], [kept, `${kept}`, '1'])
    }
    assert.deepEqual([1, kept - 1, kept].map(heldText), ['1', '499', '500+'])
  })

  test('is forgotten where it was removed, also while it is held back', () => {
    const removed: ArrivalsAction<Item> = { type: 'removed', stays: ({ id }) => id !== 'a' }
    assert.equal(after(arrived('a', 'b'), removed).shown, 'b')
    assert.equal(after(paused, arrived('a', 'b'), removed).held, 'b')
  })

  test('stays paused when something else is followed', () => {
    assert.deepEqual(after(arrived('a'), paused, { type: 'reset' }), { shown: '', held: '', isPaused: true })
  })
})
