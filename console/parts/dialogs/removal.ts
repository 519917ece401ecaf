import { useRef } from 'react'
import { TenantryError } from '../../../packages/client/src/errors.ts'
import { hasTimedOut, mayPass } from '../../queries.ts'

/**
 * Removes what an id names. An attempt without an answer is repeated once, and again when the operator asks: what is gone
 * then was removed by the attempt whose answer was lost.
 */
export function useRemoval(): (id: string, remove: () => Promise<unknown>) => Promise<void> {
  const unanswered = useRef(new Set<string>())
  return async function removeOnce(id, remove) {
    try {
      await remove()
    } catch (error) {
      const isRepeated = unanswered.current.has(id)
      if (error instanceof TenantryError && error.status === 404 && isRepeated) return
      if (!mayPass(error)) throw error
      unanswered.current.add(id)
      if (isRepeated || hasTimedOut(error)) throw error
      await removeOnce(id, remove)
    }
  }
}
