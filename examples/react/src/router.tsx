import { type ReactNode, useSyncExternalStore } from 'react'

/** The screens of the app, as they stand after `#/` in the address. */
export type Screen = 'sign-in' | 'sign-up' | 'reset-password' | 'onboarding' | 'profile' | 'sessions' | 'account'

/** The current screen; null if the address names none. */
export function useScreen(): string | null {
  return useSyncExternalStore(onHashChange, () => /^#\/([\w-]+)/.exec(location.hash)?.[1] ?? null)
}

export function goTo(screen: Screen): void {
  location.hash = `#/${screen}`
}

export function Link({ to, children, current }: { to: Screen; children: ReactNode; current?: boolean }) {
  return (
    <a href={`#/${to}`} aria-current={current ? 'page' : undefined}>
      {children}
    </a>
  )
}

function onHashChange(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}
