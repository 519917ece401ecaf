import { Center, Stack, Text } from '@mantine/core'
import type { IconProps } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'

interface EmptyProps {
  readonly title: string
  /** The next step. */
  readonly children?: ReactNode
  readonly Icon?: ComponentType<IconProps>
}

/** Stands where rows would be: what is missing and what to do next. */
export function Empty({ title, children, Icon }: EmptyProps) {
  return (
    <Center py={56} px="md">
      <Stack gap="xs" align="center" maw={420}>
        {Icon && <Icon size={30} stroke={1.4} color="var(--mantine-color-dimmed)" aria-hidden />}
        <Text fw={600} ta="center">
          {title}
        </Text>
        <Text c="dimmed" size="sm" ta="center" component="div">
          {children}
        </Text>
      </Stack>
    </Center>
  )
}
