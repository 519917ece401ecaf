import { useRef } from 'react'

/**
 * The idempotency key for a body: the same one for the same body, so that an attempt whose answer was lost has no second
 * effect; another one after `forget`, and for another body.
 */
export function useIdempotencyKey(): { readonly keyFor: (body: unknown) => string; readonly forget: () => void } {
  const last = useRef({ body: '', key: '' })
  return {
    keyFor(body) {
      const text = JSON.stringify(body)
      if (last.current.body !== text) last.current = { body: text, key: crypto.randomUUID() }
      return last.current.key
    },
    forget() {
      last.current = { body: '', key: '' }
    },
  }
}
