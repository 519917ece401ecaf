import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  readonly title: string
  readonly about?: ReactNode
  readonly children: ReactNode
}

/** A panel of settings that belong together. */
export function Section({ title, about, children }: SectionProps) {
  return (
    <Stack component="section" aria-label={title} className="panel" p={{ base: 'md', sm: 'lg' }} gap="md">
      <Stack gap={4}>
        <Title order={2} size="h4">
          {title}
        </Title>
        {about !== undefined && (
          <Text size="sm" c="dimmed" component="div">
            {about}
          </Text>
        )}
      </Stack>
      {children}
    </Stack>
  )
}
