import type { SubmitEvent } from 'react'

/**
 * What a profile form does when it is submitted. Not the form's `action`: after it, React resets the form, and controlled
 * selects then show their first option instead of their value.
 */
export const submitting = (work: () => Promise<void>) => (event: SubmitEvent<HTMLFormElement>) => {
  event.preventDefault()
  void work()
}
