import { Alert, Text } from '@mantine/core'
import { use } from 'react'
import { ProblemContext } from './problem-context.tsx'

/** The problems of a row that none of its controls is about. */
export function OwnProblems({ owner }: { readonly owner: string }) {
  const message = use(ProblemContext).messages.get(owner)
  if (message === undefined) return null
  return (
    <Alert color="red" variant="light" mb="sm" p="sm" id={problemIdOf(owner)}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
    </Alert>
  )
}

/** For `aria-describedby` of the row’s button: a list of ids, which have no spaces. */
export const problemIdOf = (owner: string): string => `problem-${encodeURIComponent(owner)}`
