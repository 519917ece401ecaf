import { ActionIcon, Tooltip } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useOperator } from '../session/session.tsx'

export function SignOut() {
  const operator = useOperator()
  const navigate = useNavigate()
  return (
    <Tooltip label={`Sign out ${operator?.name ?? ''}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="inherit"
        size="lg"
        aria-label="Sign out"
        // The screen may ask about unsaved changes first; the sign-in page then ends the session.
        onClick={() => void navigate({ to: '/sign-in', state: { signsOut: true } })}
      >
        <IconLogout size={20} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
}
