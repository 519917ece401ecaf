import { useEffect, useState } from 'react'

/** Whether something has been loading for 150 ms, so that quick answers show no skeleton. */
export function useIsSlow(isLoading: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    setSlow(false)
    if (!isLoading) return
    const timer = setTimeout(() => setSlow(true), 150)
    return () => clearTimeout(timer)
  }, [isLoading])
  return isSlow && isLoading
}
