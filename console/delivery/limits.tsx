import { SimpleGrid, TextInput } from '@mantine/core'
import { settingRanges } from '../../contract/tenants/setting-ranges.ts'
import type { DeliveryModule } from '../../packages/client/src/admin.ts'
import { anyScript } from '../parts/any-script.ts'
import { LinesInput } from '../parts/settings/lines-input.tsx'
import { Section } from '../parts/settings/section.tsx'
import type { SettingsForm } from '../parts/settings/use-settings.ts'
import { WholeNumber } from '../parts/settings/whole-number.tsx'

/** Who e-mail is from, in which language, and where SMS may go. */
export function Limits({ form }: { readonly form: SettingsForm }) {
  const { modules = {}, mayChange, problems } = form
  const delivery: Partial<DeliveryModule> = modules.delivery ?? {}
  function change(name: keyof DeliveryModule, value: unknown): void {
    const { [name]: _before, ...rest } = delivery
    const next = value === undefined ? rest : { ...delivery, [name]: value }
    form.change({ ...modules, delivery: next as DeliveryModule })
  }
  function changeFrom(name: 'address' | 'name', text: string): void {
    const from = { ...delivery.from, [name]: text === '' ? undefined : text }
    change('from', from.address === undefined && from.name === undefined ? undefined : from)
  }
  const text = (name: 'defaultLocale' | 'webOtpDomain') => ({
    value: delivery[name] ?? '',
    error: problems[`delivery.${name}`],
    disabled: !mayChange,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      change(name, currentTarget.value || undefined),
  })
  return (
    <Section title="Addresses and limits">
      <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="md">
        <TextInput
          label="E-mail is from"
          description="Empty: the address of the deployment."
          placeholder="accounts@example.com"
          value={delivery.from?.address ?? ''}
          error={problems['delivery.from.address'] ?? problems['delivery.from']}
          disabled={!mayChange}
          onChange={({ currentTarget }) => changeFrom('address', currentTarget.value)}
        />
        <TextInput
          label="Name beside the address"
          description="What mailboxes show."
          value={delivery.from?.name ?? ''}
          error={problems['delivery.from.name']}
          disabled={!mayChange}
          {...anyScript}
          onChange={({ currentTarget }) => changeFrom('name', currentTarget.value)}
        />
        <TextInput
          label="Language when none is known"
          description="A language tag such as fr or pt-BR."
          placeholder="en"
          {...text('defaultLocale')}
        />
        <TextInput
          label="Site where codes are entered"
          description="Browsers then offer to fill in codes from SMS."
          placeholder="app.example.com"
          {...text('webOtpDomain')}
        />
        <WholeNumber
          label="SMS a day"
          description="Security notices are not counted. 0 sends none."
          range={settingRanges.delivery.smsDailyBudget}
          placeholder="500"
          value={delivery.smsDailyBudget}
          disabled={!mayChange}
          error={problems['delivery.smsDailyBudget']}
          onChange={(value) => change('smsDailyBudget', value)}
        />
        <LinesInput
          label="Countries that SMS may go to"
          description="Codes such as FR, one on each line. Empty: every country."
          value={delivery.smsCountries ?? []}
          disabled={!mayChange}
          form={form}
          path="delivery.smsCountries"
          onChange={(lines) => change('smsCountries', lines.length === 0 ? undefined : lines)}
        />
      </SimpleGrid>
    </Section>
  )
}
