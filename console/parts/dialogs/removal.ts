import { useRef } from 'react'
import { TenantryError } from '../../../packages/client/src/errors.ts'
import { mayPass } from '../../queries.ts'

/** Removes what an id names. When it is gone after an attempt whose answer was lost, that attempt has removed it. */
export function useRemoval(): (id: string, remove: () => Promise<unknown>) => Promise<void> {
  const unanswered = useRef(new Set<string>())
  return async (id, remove) => {
    try {
      await remove()
    } catch (error) {
      if (error instanceof TenantryError && error.status === 404 && unanswered.current.has(id)) return
      if (mayPass(error)) unanswered.current.add(id)
      throw error
    }
  }
}
