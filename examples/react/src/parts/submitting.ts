import type { SubmitEvent } from 'react'

/**
 * What a form does when it is submitted. Not the form's `action`: React shows what an action sets, such as `busy`, only once the
 * action has ended, and then resets the form: controlled selects show their first option instead of their value.
 */
export const submitting = (work: () => Promise<void>) => (event: SubmitEvent<HTMLFormElement>) => {
  event.preventDefault()
  void work()
}
