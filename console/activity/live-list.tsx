import { Button, Group, Switch } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Problem } from '../parts/pages/problem.tsx'
import { heldText } from '../parts/stream/arrivals.ts'
import { ConnectionState } from '../parts/stream/connection-state.tsx'
import classes from './activity.module.css'
import type { LiveEvents } from './use-live-events.ts'

interface LiveSwitchProps {
  readonly live: LiveEvents
  readonly onChange: (isOn: boolean) => void
}

/** Switches following on and off, and says while events do not appear. */
export function LiveSwitch({ live: { isOn, connection }, onChange }: LiveSwitchProps) {
  return (
    <Group gap="xs">
      {isOn && connection !== 'live' && <ConnectionState connection={connection} isPaused={false} />}
      <Switch label="Live" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    </Group>
  )
}

/**
 * Around a list that follows events. New rows appear at its top; once one has scrolled past the top they are held back, so
 * that nothing moves, and a button shows them.
 */
export function LiveList({ live, children }: { readonly live: LiveEvents; readonly children: ReactNode }) {
  const { isOn, held, pause, connection, reconnect } = live
  const top = useRef<HTMLDivElement>(null)
  const latestPause = useRef(pause)
  latestPause.current = pause
  useEffect(() => {
    if (!isOn) return
    const observer = new IntersectionObserver(
      ([entry]) => latestPause.current(!entry!.isIntersecting && entry!.boundingClientRect.top < barHeight),
      { rootMargin: `-${barHeight}px 0px 0px 0px` },
    )
    observer.observe(top.current!)
    return () => observer.disconnect()
  }, [isOn])
  function show(): void {
    // What is new is in the page before the first row gets the focus.
    flushSync(() => pause(false))
    top.current?.scrollIntoView()
    top.current?.parentElement?.querySelector<HTMLElement>('.row-link')?.focus({ preventScroll: true })
  }
  return (
    <div>
      {isOn && typeof connection === 'object' && <Problem error={connection.error} retry={reconnect} />}
      <div ref={top} className={classes['top']} />
      <output className={classes['held']}>
        {isOn && held > 0 && (
          <Button size="xs" radius="xl" leftSection={<IconArrowUp size={14} />} onClick={show}>
            {heldText(held)} new
          </Button>
        )}
      </output>
      {children}
    </div>
  )
}

/** The bar of the console covers the top of the page. */
const barHeight = 56
