import { Alert, Button, Code, PasswordInput, Stack, Text } from '@mantine/core'
import { IconLockOpen } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { pastedText } from '../../contract/pasted-text.ts'
import { keepsDialogs } from '../parts/dialogs/keeps-dialogs.ts'
import { Problem } from '../parts/pages/problem.tsx'
import { tellOtherTabs } from './other-tabs.ts'
import { type ConsoleSession, readSession, startSession } from './session-requests.ts'

interface KeyFormProps {
  readonly act: string
  readonly onSignedIn: (session: ConsoleSession) => unknown
}

/** Asks for the key and signs in. */
export function KeyForm({ act, onSignedIn }: KeyFormProps): ReactNode {
  const [key, setKey] = useState('')
  const signIn = useMutation({ mutationFn: () => startKeptSession(pastedText(key)), onSuccess: onSignedIn })
  // Over plain http, browsers keep the cookie for this machine alone, and the server refuses the sign-in.
  if (!window.isSecureContext) return <PlainHttp />
  function submit(event: FormEvent): void {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label="Admin key"
          description="Your operator key, or the root key (TENANTRY_ADMIN_KEY, or the one that a development server prints at every startup)."
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          autoFocus
          data-autofocus
          {...keepsDialogs}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the key', ...keepsDialogs }}
        />
        {signIn.isError && <Problem error={signIn.error} />}
        <Button type="submit" loading={signIn.isPending} fullWidth {...keepsDialogs}>
          {act}
        </Button>
      </Stack>
    </form>
  )
}

/** Signs in, and makes sure that the browser has kept the cookie: some refuse it without an error. */
async function startKeptSession(key: string): Promise<ConsoleSession> {
  await startSession(key)
  const session = await readSession()
  if (session.operator === null) throw new Error(cookieRefused)
  tellOtherTabs()
  return session
}

const cookieRefused =
  "The key is right, but this browser did not keep the session's cookie. Allow cookies for this site. Safari keeps this cookie over https only."

function PlainHttp(): ReactNode {
  const port = location.port === '' ? '80' : location.port
  return (
    <Alert color="yellow" icon={<IconLockOpen />} title="This page came over plain http">
      <Stack gap="xs">
        <Text size="sm">
          The session is a cookie that browsers keep over https only, or on the machine that runs the server. Open the
          console at its https address, or forward the port to this machine:
        </Text>
        <Code block fz="xs" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {`ssh -L ${port}:127.0.0.1:${port} ${location.hostname}`}
        </Code>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Then open http://127.0.0.1:{port}/console/
        </Text>
      </Stack>
    </Alert>
  )
}
