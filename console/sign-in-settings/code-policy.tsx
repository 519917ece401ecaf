import { SimpleGrid, Text } from '@mantine/core'
import { settingRanges } from '../../contract/tenants/setting-ranges.ts'
import type { OtpModule } from '../../packages/client/src/admin.ts'
import { Section } from '../parts/settings/section.tsx'
import type { SettingsForm } from '../parts/settings/use-settings.ts'
import { WholeNumber } from '../parts/settings/whole-number.tsx'
import { policySentence } from './policy-sentence.ts'

const fields = [
  { name: 'length', label: 'Digits', placeholder: '6' },
  { name: 'ttlSeconds', label: 'Valid for', unit: 'seconds', placeholder: '600 seconds' },
  { name: 'maxVerifyAttempts', label: 'Wrong attempts', placeholder: '5' },
  { name: 'maxResends', label: 'Resends', placeholder: '3' },
  { name: 'resendIntervalSeconds', label: 'Pause before a resend', unit: 'seconds', placeholder: '60 seconds' },
] as const

/** The rules of one-time passwords, with what they mean. */
export function CodePolicy({ form }: { readonly form: SettingsForm }) {
  const { modules = {}, change, mayChange, problems } = form
  const otp: Partial<OtpModule> = modules.otp ?? {}
  return (
    <Section
      title="Codes"
      about={
        <Text span size="sm" aria-live="polite">
          {policySentence(otp) ?? 'An empty field takes the default of the server.'}
        </Text>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} verticalSpacing="md">
        {fields.map(({ name, ...field }) => (
          <WholeNumber
            key={name}
            {...field}
            range={settingRanges.otp[name]}
            value={otp[name]}
            disabled={!mayChange}
            error={problems[`otp.${name}`]}
            onChange={(value) => change({ ...modules, otp: { ...otp, [name]: value } as OtpModule })}
          />
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        A code keeps the rules that it was sent with.
      </Text>
    </Section>
  )
}
