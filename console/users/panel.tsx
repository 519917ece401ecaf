import { Group, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface PanelProps {
  readonly title: string
  /** Its buttons. */
  readonly actions?: ReactNode
  /** Rows reach its edges. */
  readonly isFlush?: true
  readonly children: ReactNode
}

/** One subject of a screen. */
export function Panel({ title, actions, isFlush, children }: PanelProps) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <Group justify="space-between" px="md" pt="md" pb={isFlush ? 'xs' : 'sm'} mih={52} gap="xs">
        <Title order={2} fz="lg" id={id}>
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      <div style={{ padding: isFlush ? 0 : '0 16px 16px' }}>{children}</div>
    </section>
  )
}
