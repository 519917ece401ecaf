import { ActionIcon, Menu, Stack, Text } from '@mantine/core'
import { IconBan, IconDots, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Column } from '../lists/list.tsx'
import { Time } from '../times/time.tsx'
import { ValidityState } from './validity-state.tsx'

/** What keys of tenants and operators have in common. */
interface Credential {
  readonly name: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

interface CredentialColumns<C> {
  /** What a row is: the header of its name. */
  readonly what: string
  /** Below the name. */
  readonly below: (credential: C) => ReactNode
  /** After the name. */
  readonly own: readonly Column<C>[]
  /** The last ones. */
  readonly last?: readonly Column<C>[]
  readonly endsVisibleFrom: 'lg' | 'xl'
}

/** The columns of a list of credentials: name, state, last use and end. */
export const credentialColumns = <C extends Credential>({
  what,
  below,
  own,
  last = [],
  endsVisibleFrom,
}: CredentialColumns<C>): readonly Column<C>[] => [
  {
    header: what,
    isName: true,
    cell: (credential) => (
      <Stack gap={0} miw={0}>
        <Text span fw={600} dir="auto" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {credential.name}
        </Text>
        {below(credential)}
      </Stack>
    ),
  },
  ...own,
  { header: 'State', width: 110, cell: (credential) => <ValidityState {...credential} /> },
  { header: 'Last used', width: 150, visibleFrom: 'md', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  {
    header: 'Ends',
    width: 150,
    visibleFrom: endsVisibleFrom,
    cell: ({ expiresAt, revokedAt }) => <Time at={revokedAt ?? expiresAt} />,
  },
  ...last,
]

interface CredentialMenuProps {
  /** Its accessible name. */
  readonly label: string
  readonly rotateLabel: string
  readonly onRotate: () => void
  readonly onRevoke: () => void
  /** More items, above. */
  readonly children?: ReactNode
}

/** What can be done with a credential. */
export const CredentialMenu = ({ label, rotateLabel, onRotate, onRevoke, children }: CredentialMenuProps) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" aria-label={label}>
        <IconDots size={18} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {children}
      <Menu.Item leftSection={<IconRefresh size={16} />} onClick={onRotate}>
        {rotateLabel}
      </Menu.Item>
      <Menu.Item leftSection={<IconBan size={16} />} c="var(--mantine-color-error)" onClick={onRevoke}>
        Revoke…
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
)
