import { Anchor, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Tenant } from '../../packages/client/src/admin.ts'
import { LabelledValue } from '../parts/pages/labelled-value.tsx'
import { providerNames } from '../parts/provider-names.ts'
import { settingsQuery } from '../parts/settings/settings-queries.ts'
import { Time } from '../parts/times/time.tsx'
import { useCan } from '../session/session.tsx'
import { capabilities } from './restrict-tenant.tsx'
import { latestVersionsQuery } from './tenants-queries.ts'

const methods: Readonly<Record<string, string>> = {
  password: 'Password',
  otp: 'Codes',
  guest: 'Guests',
  ...providerNames,
}

/** How users of the tenant sign in, what they cannot do, and the profile they fill in. */
export function TenantFacts({ tenantId, tenant }: { readonly tenantId: string; readonly tenant: Tenant | undefined }) {
  const can = useCan()
  const [mayConfigure, maySchema] = [can('configuration:read', tenantId), can('schema:read', tenantId)]
  const settings = useQuery({ ...settingsQuery(tenantId), enabled: mayConfigure }).data
  const versions = useQuery({ ...latestVersionsQuery(tenantId), enabled: maySchema }).data?.items
  const current = versions?.find(({ state }) => state === 'current')
  const enabled = settings?.modules.auth?.methods ?? []
  const params = { tenantId }
  return (
    <Group component="dl" className="panel" m={0} mb="md" px="md" py="sm" gap="xl">
      {mayConfigure && (
        <LabelledValue name="Sign-in">
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/tenants/$tenantId/sign-in" params={params} />}>
            {settings === undefined
              ? '–'
              : enabled.length === 0
                ? 'Off'
                : enabled.map((one) => methods[one] ?? one).join(', ')}
          </Anchor>
        </LabelledValue>
      )}
      {maySchema && (
        <LabelledValue name="Profile schema">
          <Anchor
            size="sm"
            renderRoot={(props) => <Link {...props} to="/tenants/$tenantId/profile-schema" params={params} />}
          >
            {current === undefined ? '–' : `Version ${current.version}`}
          </Anchor>
        </LabelledValue>
      )}
      {tenant !== undefined && tenant.restrictedCapabilities.length > 0 && (
        <LabelledValue name="Users cannot">
          {tenant.restrictedCapabilities.map((capability) => capabilities[capability].toLowerCase()).join(', ')}
        </LabelledValue>
      )}
      <LabelledValue name="Created">{tenant ? <Time at={tenant.createdAt} /> : '–'}</LabelledValue>
    </Group>
  )
}
