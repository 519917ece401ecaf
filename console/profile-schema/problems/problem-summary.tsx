import { Alert, Anchor, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { use } from 'react'
import { useEditor } from '../editor-context.ts'
import { ProblemContext } from './problem-context.tsx'
import { problemTitle } from './problem-title.ts'

/** All problems of the last check. Each leads to its control. */
export function ProblemSummary({ onGo }: { readonly onGo?: () => void }) {
  const { draft } = useEditor()
  const { placed, goTo } = use(ProblemContext)
  if (placed.length === 0) return null
  return (
    <Alert
      color="red"
      variant="light"
      mb="md"
      p="sm"
      icon={<IconAlertTriangle />}
      title={placed.length === 1 ? 'The check found a problem' : `The check found ${placed.length} problems`}
    >
      <List size="sm" spacing={4} listStyleType="none" withPadding={false}>
        {placed.map((problem) => (
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
              {problemTitle(draft, problem)}
            </Anchor>
            <Text size="sm">{problem.message}</Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
