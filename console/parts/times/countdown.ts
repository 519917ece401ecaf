import { useEffect, useState } from 'react'

/** Counts down from `seconds` to 0, once a second; 0 without them. Starts again when they change. */
export function useCountdown(seconds = 0): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const end = Date.now() + seconds * 1000
    setLeft(seconds)
    if (seconds === 0) return
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
