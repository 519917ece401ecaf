import { Alert, SegmentedControl, Stack, Text, useComputedColorScheme } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { MessagePreview as Preview } from '../../packages/client/src/admin.ts'
import { languageName } from '../parts/language-name.ts'
import { MailFrame } from '../parts/messages/mail-frame.tsx'
import { Problem } from '../parts/pages/problem.tsx'

const views = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'text', label: 'Text' },
] as const
type View = (typeof views)[number]['value']

interface MessagePreviewProps {
  readonly query: UseQueryResult<Preview>
  readonly language: string
  /** The server's messages by path, when it cannot show the draft. */
  readonly mistakes: Readonly<Record<string, string>>
  /** The path of the template whose fields are shown, with their messages. */
  readonly path: string
}

/** What a recipient gets, in the colours of both kinds of mailboxes and as text. */
export function MessagePreview({ query, language, mistakes, path }: MessagePreviewProps) {
  const scheme = useComputedColorScheme('light')
  const [chosen, setChosen] = useState<View | null>(null)
  const { error } = query
  const read = useRef<{ readonly path: string; readonly data: Preview }>(undefined)
  if (query.data !== undefined && !query.isPlaceholderData) read.current = { path, data: query.data }
  // A read that fails, as for a mistake in the draft, keeps what was shown of this message before.
  const data = query.data ?? (read.current?.path === path ? read.current.data : undefined)
  const elsewhere = Object.entries(mistakes).filter(([at]) => !at.startsWith(`${path}.`))
  const view = data?.html == null ? 'text' : (chosen ?? scheme)
  return (
    <Stack gap="sm">
      {Object.keys(mistakes).length > 0 ? (
        <Alert color="yellow" variant="light" role="status">
          There is a mistake in the draft.{data && ' The preview shows what it was before.'}
          {elsewhere.map(([at, message]) => (
            <Text key={at} size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
              <b>{at}</b>: {message}
            </Text>
          ))}
        </Alert>
      ) : (
        query.isError && <Problem error={error} retry={() => void query.refetch()} />
      )}
      {data && (
        <>
          {data.subject !== null && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <Text span c="dimmed" size="sm">
                Subject{' '}
              </Text>
              <bdi>{data.subject}</bdi>
            </Text>
          )}
          {data.locale !== language && (
            <Text size="xs" c="dimmed">
              There is no text in {languageName(language)}: recipients get the one in {languageName(data.locale)}.
            </Text>
          )}
          {data.html !== null && (
            <SegmentedControl
              aria-label="Preview"
              size="xs"
              value={view}
              data={[...views]}
              onChange={(value) => setChosen(value as View)}
              style={{ alignSelf: 'flex-start' }}
            />
          )}
          {view === 'text' || data.html === null ? (
            <Text
              size="sm"
              dir="auto"
              component="pre"
              m={0}
              p="md"
              ff="inherit"
              className="quiet-row"
              style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
            >
              {data.text}
            </Text>
          ) : (
            <MailFrame html={data.html} scheme={view} title="Preview of the message" />
          )}
        </>
      )}
    </Stack>
  )
}
