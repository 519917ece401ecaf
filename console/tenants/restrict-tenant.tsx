import { Checkbox, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Tenant } from '../../packages/client/src/admin.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { mergedList } from '../parts/lists/merged-list.ts'
import { toast } from '../parts/pages/toast.ts'
import { readNow } from '../queries.ts'
import { useChangeTenant } from './change-tenant.ts'
import { tenantQuery } from './tenants-queries.ts'

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
  const [before] = useState(tenant.restrictedCapabilities)
  const [restricted, setRestricted] = useState(before)
  const queries = useQueryClient()
  const change = useChangeTenant(tenant.id)
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title="Restrict tenant"
      act="Save"
      onConfirm={async () => {
        const { restrictedCapabilities: now } = await readNow(queries, tenantQuery(tenant.id))
        await change({ restrictedCapabilities: mergedList(before, restricted, now) })
        toast('The restrictions apply')
      }}
    >
      <Checkbox.Group
        label="What users of this tenant cannot do"
        description="Requests fail with RESTRICTED_CAPABILITY, effective immediately."
        value={[...restricted]}
        onChange={(values) => setRestricted(values as Capability[])}
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
