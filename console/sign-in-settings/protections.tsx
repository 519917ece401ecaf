import { Switch } from '@mantine/core'
import { settingRanges } from '../../contract/tenants/setting-ranges.ts'
import type { SecurityModule } from '../../packages/client/src/admin.ts'
import { LinesInput } from '../parts/settings/lines-input.tsx'
import { Section } from '../parts/settings/section.tsx'
import type { SettingsForm } from '../parts/settings/use-settings.ts'
import { WholeNumber } from '../parts/settings/whole-number.tsx'

const switches = [
  {
    name: 'enumerationProtection',
    label: 'Do not tell who has an account',
    description:
      'Password resets answer alike for known and unknown addresses. Sign-up then needs a verified code: update your apps first.',
  },
  {
    name: 'passwordBlocklist',
    label: 'Refuse common passwords',
    description: 'Also passwords that equal the address, its first part or the name of the tenant.',
  },
] as const

export function Protections({ form }: { readonly form: SettingsForm }) {
  const { modules = {}, mayChange, problems } = form
  const security: Partial<SecurityModule> = modules.security ?? {}
  const change = (changed: Partial<SecurityModule>) =>
    form.change({ ...modules, security: { ...security, ...changed } as SecurityModule })
  return (
    <>
      <Section title="Protections">
        {switches.map(({ name, ...field }) => (
          <Switch
            key={name}
            {...field}
            checked={security[name] === true}
            disabled={!mayChange}
            error={problems[`security.${name}`]}
            styles={{ label: { fontWeight: 600 } }}
            onChange={({ currentTarget }) => change({ [name]: currentTarget.checked })}
          />
        ))}
        <WholeNumber
          label="A sign-in is fresh for"
          description="Deleting the account or changing its addresses needs a fresh sign-in."
          unit="seconds"
          range={settingRanges.security.freshSeconds}
          placeholder="600 seconds"
          value={security.freshSeconds}
          disabled={!mayChange}
          error={problems['security.freshSeconds']}
          onChange={(freshSeconds) => change({ freshSeconds } as Partial<SecurityModule>)}
        />
      </Section>
      <Section
        title="Allowed origins"
        about="Web pages that may call the API from a browser with a publishable key. Apps and servers need no entry."
      >
        <LinesInput
          label="Origins"
          description="One on each line, such as https://app.example.com. No path."
          placeholder="https://app.example.com"
          value={security.allowedOrigins ?? []}
          disabled={!mayChange}
          form={form}
          path="security.allowedOrigins"
          onChange={(allowedOrigins) => change({ allowedOrigins })}
        />
      </Section>
    </>
  )
}
