import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshSubject, type LimiterKind, remainingOf, START, TEN, takeAtOnce } from './limiter-kind.testkit.ts'

/** What a clear forgets, in this process and in others. */
export function clearTests({ limiters }: LimiterKind): void {
  test('clears the requests of one subject up to then, and nothing else', async () => {
    const [limiter] = limiters()
    const [subject, other] = [freshSubject(), freshSubject()]
    const left = async (name: string, counted: string) => (await limiter.peek(name, counted, TEN, START + 9)).remaining
    for (let i = 0; i < 10; i++) {
      for (const [name, counted] of [
        ['resend', subject],
        ['verify', subject],
        ['resend', other],
      ] as const) {
        await limiter.take(name, counted, TEN, START + i)
      }
    }
    await limiter.clear('resend', freshSubject(), TEN, START + 9)
    await limiter.clear('resend', subject, TEN, START + 6)
    assert.deepEqual([await left('resend', subject), await left('verify', subject)], [7, 0])
    await limiter.clear('resend', subject, TEN, START + 9)
    assert.deepEqual([await left('resend', subject), await left('verify', subject)], [10, 0])
    assert.equal(await left('resend', other), 0)
    assert.equal(remainingOf(await takeAtOnce([limiter], 20, subject, START + 9)).length, 10)
  })

  test('applies a clear to all processes', async () => {
    const both = limiters()
    const [one, other] = both
    const subject = freshSubject()
    await takeAtOnce(both, 20, subject, START)
    for (const [turn, clearing] of [one, other, one].entries()) {
      await clearing.clear('resend', subject, TEN, START + turn)
      const now = START + turn + 1
      for (const limiter of both) assert.equal((await limiter.peek('resend', subject, TEN, now)).remaining, 10)
      const verdicts = await takeAtOnce(both, 20, subject, now)
      assert.deepEqual(remainingOf(verdicts), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    }
  })

  test('admits the whole quota in a process with any local count after another process cleared it', async () => {
    const [one, other] = limiters()
    for (const count of [1, 5, 9]) {
      const subject = freshSubject()
      await takeAtOnce([other], count, subject, START)
      await one.clear('resend', subject, TEN, START)
      for (let left = 9; left >= 0; left--)
        assert.equal((await other.take('resend', subject, TEN, START + 1)).remaining, left, `${count}`)
      assert.equal((await other.take('resend', subject, TEN, START + 1)).admitted, false)
    }
  })

  test('admits again in a process with a full local count after another process cleared it', async () => {
    const [one, other] = limiters()
    const subject = freshSubject()
    await takeAtOnce([other], 10, subject, START)
    await one.clear('resend', subject, TEN, START)
    assert.deepEqual(await other.take('resend', subject, TEN, START + 1), {
      admitted: true,
      remaining: 9,
      resetSeconds: 3600,
    })
    assert.equal(remainingOf(await takeAtOnce([other, one], 20, subject, START + 1)).length, 9)
  })
}
