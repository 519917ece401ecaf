import { Alert, Code, List, Text } from '@mantine/core'

/** The server's messages with the places that they are about. */
export function ProblemList({
  problems,
}: {
  readonly problems: readonly (readonly [path: string, message: string])[]
}) {
  if (problems.length === 0) return null
  return (
    <Alert color="red" variant="light" role="alert" mb="sm" p="sm">
      <List size="sm" spacing={4} listStyleType="none" withPadding={false}>
        {problems.map(([path, message]) => (
          <List.Item key={path}>
            <Code>{path}</Code>{' '}
            <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
              {message}
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
