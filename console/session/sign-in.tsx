import { Anchor, Box, Center, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { endWaiting } from './ended-session.ts'
import { KeyForm } from './key-form.tsx'
import { ownPath } from './own-path.ts'
import { sessionQuery } from './session.tsx'
import { SignOutHere } from './sign-out-here.tsx'

export function SignIn(): ReactNode {
  const { to } = useSearch({ from: '/sign-in' })
  const { signsOut } = useLocation().state
  const navigate = useNavigate()
  const queries = useQueryClient()
  useEffect(() => {
    document.title = 'Sign in · Tenantry'
  }, [])
  return (
    <Center component="main" className="sign-in" mih="100dvh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Stack gap={4} align="center">
          <img src="/console/icon.svg" alt="" width={44} height={44} />
          <Title order={1} mt="xs" ta="center">
            Sign in to Tenantry
          </Title>
          <Text c="dimmed" size="sm" ta="center">
            The console of this deployment, for its operators.
          </Text>
        </Stack>
        {signsOut && <SignOutHere />}
        <Box className="panel" p="lg">
          <KeyForm
            act="Sign in"
            onSignedIn={(session) => {
              // What another operator saw is not shown to this one.
              queries.clear()
              queries.setQueryData(sessionQuery.queryKey, session)
              endWaiting(false)
              // Back would show the form, as if the session had ended.
              return navigate({ to: ownPath(to), replace: true })
            }}
          />
        </Box>
        <Text c="dimmed" size="xs" ta="center">
          The key is sent once and not kept in this browser.{' '}
          <Anchor href="/docs" size="xs" underline="always">
            API reference
          </Anchor>
        </Text>
      </Stack>
    </Center>
  )
}
