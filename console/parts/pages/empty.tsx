import { Center, Stack, Text } from '@mantine/core'
import type { IconProps } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'

interface EmptyProps {
  readonly title: string
  /** The next step. */
  readonly children?: ReactNode
  readonly Icon?: ComponentType<IconProps>
  /** The button or link of the next step. */
  readonly act?: ReactNode
  /** One panel of several on a screen. */
  readonly isSmall?: true
}

/** Stands where rows would be: what is missing and what to do next. */
export function Empty({ title, children, Icon, act, isSmall }: EmptyProps) {
  return (
    <Center pt={isSmall ? 8 : 56} pb={isSmall ? 28 : 56} px="md">
      <Stack gap="xs" align="center" maw={420}>
        {Icon && <Icon size={isSmall ? 24 : 30} stroke={1.4} color="var(--mantine-color-dimmed)" aria-hidden />}
        <Text fw={600} ta="center" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        {children !== undefined && (
          <Text c="dimmed" size="sm" ta="center" component="div" style={{ textWrap: 'balance' }}>
            {children}
          </Text>
        )}
        {act !== undefined && <div style={{ paddingTop: 8 }}>{act}</div>}
      </Stack>
    </Center>
  )
}
