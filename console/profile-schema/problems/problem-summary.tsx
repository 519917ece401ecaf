import { Anchor, Box, Button, Group, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { use, useState } from 'react'
import { useEditor } from '../editor-context.ts'
import { ProblemContext } from './problem-context.tsx'
import { problemTitle } from './problem-title.ts'

const mostShown = 4

interface ProblemSummaryProps {
  /** Shows all problems at once. */
  readonly isWhole?: true
  /** A link was followed. */
  readonly onGo?: () => void
}

/** The problems of the last check. Each leads to its control. */
export function ProblemSummary({ isWhole, onGo }: ProblemSummaryProps) {
  const { draft } = useEditor()
  const { placed, goTo } = use(ProblemContext)
  const [isOpen, setOpen] = useState(false)
  if (placed.length === 0) return null
  const isLong = placed.length > mostShown + 1 && !isWhole
  const shown = isLong && !isOpen ? placed.slice(0, mostShown) : placed
  return (
    <Box
      // The dialog is over the page, which has the same summary as a landmark.
      {...(!isWhole && { component: 'section', 'aria-label': 'Problems' })}
      className="panel"
      p="sm"
      mb={isWhole ? 0 : 'md'}
      style={{ borderInlineStart: '4px solid var(--mantine-color-error)' }}
    >
      <Group gap="xs" mb={6} wrap="nowrap" role="alert" c="var(--mantine-color-error)">
        <IconAlertTriangle size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" fw={650}>
          {placed.length === 1 ? 'The check found a problem' : `The check found ${placed.length} problems`}
        </Text>
      </Group>
      <List size="sm" spacing={6} listStyleType="none" withPadding={false} ps={26}>
        {shown.map((problem) => (
          <List.Item key={problem.path} style={{ overflowWrap: 'anywhere' }}>
            <Anchor
              component="button"
              type="button"
              size="sm"
              fw={600}
              ta="start"
              underline="always"
              onClick={() => {
                onGo?.()
                goTo(problem)
              }}
            >
              <bdi>{problemTitle(draft, problem)}</bdi>
            </Anchor>
            <Text size="sm" c="dimmed">
              {problem.message}
            </Text>
          </List.Item>
        ))}
      </List>
      {isLong && (
        <Button
          size="compact-sm"
          variant="subtle"
          mt={6}
          ms={18}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show fewer' : `Show all ${placed.length}`}
        </Button>
      )}
    </Box>
  )
}
