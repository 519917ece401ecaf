import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { pastedText } from '../../contract/pasted-text.ts'
import type { DeliveryMethod } from '../../packages/client/src/admin.ts'
import { fieldErrorsOf } from '../parts/dialogs/form-errors.ts'
import { sendTest } from './delivery-queries.ts'
import type { TemplatePlace } from './own-templates.ts'

const inputs = {
  email: { type: 'email', placeholder: 'you@example.com' },
  sms: { type: 'tel', placeholder: '+33612345678' },
} as const

/**
 * A test message to a typed address: the chosen text with a sample code.
 *
 * @param sender the only sender to try; all of the channel unless given
 */
export function useTest(tenantId: string, method: DeliveryMethod, place: TemplatePlace, sender?: string) {
  const [to, setTo] = useState('')
  const { kind, language } = place
  const message = `${kind} ${method} ${language}`
  const { mutate, isPending, variables, data, error } = useMutation({
    mutationFn: (_message: string) =>
      sendTest(tenantId, {
        kind,
        method,
        to: pastedText(to),
        locale: language,
        ...(sender !== undefined && { sender }),
      }),
  })
  // Another message may be chosen since: what is shown below it is not about that one.
  const isOfMessage = variables === message
  const refusal = isOfMessage ? error : null
  const errors = fieldErrorsOf(refusal)
  return {
    send: () => mutate(message),
    isPending,
    /** What became of the last test of this message. */
    report: isOfMessage ? data : undefined,
    /** Properties of the field of the address. */
    field: {
      ...inputs[method],
      value: to,
      error: errors['to'],
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) => setTo(currentTarget.value),
    },
    isReady: pastedText(to) !== '',
    /** What is not said at the field. */
    problem: errors['to'] === undefined ? refusal : null,
  }
}
