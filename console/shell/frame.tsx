import { AppShell, Burger, Group, ScrollArea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useLocation } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useOperator } from '../session/session.tsx'
import { SessionEnded } from '../session/session-ended.tsx'
import { Brand } from './brand.tsx'
import { Environment } from './environment.tsx'
import { useFocusReturn } from './focus-return.ts'
import { Navigation } from './navigation.tsx'
import { IfAllowed } from './not-allowed.tsx'
import { IfTenantExists } from './tenant-exists.tsx'
import { Tools } from './tools.tsx'

/** What stays around every screen: the bar, the navigation and the place of the screen. */
export function Frame(): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure()
  const burger = useRef<HTMLButtonElement>(null)
  const screens = useRef<HTMLDivElement>(null)
  const { pathname } = useLocation()
  const operator = useOperator()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a visit of another screen closes the navigation
  useEffect(close, [pathname])
  useEffect(() => {
    if (isOpen) screens.current?.querySelector('a')?.focus()
  }, [isOpen])
  useFocusReturn()
  function closeWithEscape({ key, defaultPrevented }: KeyboardEvent): void {
    // A list in the navigation closes first.
    if (!isOpen || key !== 'Escape' || defaultPrevented) return
    close()
    burger.current?.focus()
  }
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 248, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      transitionDuration={0}
    >
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      {/* With a large text, the bar of a phone is wider than the screen. */}
      <AppShell.Header bg="var(--panel)" px="md" style={{ borderColor: 'var(--line)', overflowX: 'auto' }}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              ref={burger}
              opened={isOpen}
              onClick={toggle}
              onKeyDown={closeWithEscape}
              hiddenFrom="md"
              size="sm"
              aria-label={isOpen ? 'Close the navigation' : 'Open the navigation'}
              aria-expanded={isOpen}
            />
            <Brand />
            <Environment />
          </Group>
          <Tools />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        ref={screens}
        onKeyDown={closeWithEscape}
        bg="var(--panel)"
        p="sm"
        style={{ borderColor: 'var(--line)' }}
        aria-label="Screens"
        {...(isOpen && { 'data-open': true })}
      >
        <ScrollArea>
          <Navigation />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <IfAllowed>
          <IfTenantExists>
            {/* Another operator who signs in over an ended session gets a new screen: drafts and secrets are not theirs. */}
            <Outlet key={operator?.id} />
          </IfTenantExists>
        </IfAllowed>
      </AppShell.Main>
      <SessionEnded />
    </AppShell>
  )
}
