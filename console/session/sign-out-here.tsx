import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { Problem } from '../parts/pages/problem.tsx'
import { useSignOut } from './session.tsx'

/** Signs out on the sign-in page, after the screen before could ask about unsaved changes. A failure is shown. */
export function SignOutHere(): ReactNode {
  const signOut = useSignOut()
  const navigate = useNavigate()
  const { mutate, isError, error } = useMutation({
    mutationFn: signOut,
    // Back to this page, or a reload, must not end the next session.
    onSuccess: () => navigate({ to: '/sign-in', replace: true }),
  })
  useEffect(() => mutate(), [mutate])
  return isError && <Problem error={error} retry={() => mutate()} />
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The sign-in page ends the session first. */
    signsOut?: boolean
  }
}
