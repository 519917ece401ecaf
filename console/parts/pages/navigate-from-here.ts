import { type UseNavigateResult, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** As `useNavigate`, until this screen is left: a late answer does not take the operator away from the next one. */
export function useNavigateFromHere(): UseNavigateResult<string> {
  const navigate = useNavigate()
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return async (options) => {
    if (isHere.current) await navigate(options)
  }
}
