import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Tenant } from '../../packages/client/src/admin.ts'
import { Confirm } from '../parts/confirm.tsx'
import { toast } from '../parts/toast.ts'
import { useChangeTenant } from './change-tenant.ts'

type Capability = Tenant['restrictedCapabilities'][number]

/** What each capability lets people do. */
export const capabilities: Readonly<Record<Capability, string>> = {
  sign_up: 'Sign up',
  sign_in: 'Sign in',
  otp: 'Ask for codes',
  reset_password: 'Reset a password',
  profile_update: 'Change a profile',
  upload: 'Upload files',
}

/** Takes capabilities from all users of a tenant, or gives them back. */
export function RestrictTenant({ tenant, onClose }: { readonly tenant: Tenant; readonly onClose: () => void }) {
  const [restricted, setRestricted] = useState<readonly string[]>(tenant.restrictedCapabilities)
  const change = useChangeTenant(tenant.id)
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title="Restrict tenant"
      act="Save"
      onConfirm={async () => {
        await change({ restrictedCapabilities: restricted as Capability[] })
        toast('The restrictions apply')
      }}
    >
      <Checkbox.Group
        label="What users of this tenant cannot do"
        description="Requests fail with RESTRICTED_CAPABILITY, effective immediately."
        value={[...restricted]}
        onChange={setRestricted}
      >
        <Stack gap="xs" mt="sm">
          {Object.entries(capabilities).map(([capability, label], index) => (
            <Checkbox key={capability} value={capability} label={label} data-autofocus={index === 0 || undefined} />
          ))}
        </Stack>
      </Checkbox.Group>
      {restricted.length === 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          Nothing is restricted.
        </Text>
      )}
    </Confirm>
  )
}
