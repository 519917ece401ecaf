import { NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { DeliveryMethod, DeliveryModule, TemplateKind } from '../../packages/client/src/admin.ts'
import { fieldErrorsOf } from '../parts/dialogs/form-errors.ts'
import { channels, messageKinds } from '../parts/messages/message-kinds.ts'
import { Section } from '../parts/settings/section.tsx'
import type { SettingsForm } from '../parts/settings/use-settings.ts'
import { useCan } from '../session/session.tsx'
import { tenantQuery } from '../tenants/tenants-queries.ts'
import { previewQuery } from './delivery-queries.ts'
import { LanguageInput } from './language-input.tsx'
import { MessagePreview } from './message-preview.tsx'
import {
  builtInLanguages,
  languagesOf,
  type OwnTemplate,
  type TemplatePlace,
  templateAt,
  templateFrom,
  withTemplate,
} from './own-templates.ts'
import { TemplateFields } from './template-fields.tsx'

interface TemplatesProps {
  readonly tenantId: string
  readonly form: SettingsForm
  readonly place: TemplatePlace
  readonly onPlace: (place: TemplatePlace) => void
}

/** The texts of messages by kind, channel and language, with what recipients get. */
export function Templates({ tenantId, form, place, onPlace }: TemplatesProps) {
  const { modules = {}, mayChange, problems } = form
  const { kind, channel, language } = place
  const templates = modules.delivery?.templates ?? {}
  const template = templateAt(templates, place)
  const own = languagesOf(templates, place)
  const can = useCan()
  const mayPreview = can('messages:write', tenantId)
  const [typed] = useDebouncedValue(templates, 300)
  const shown = { kind, method: channel, locale: language, templates: typed }
  const preview = useQuery({ ...previewQuery(tenantId, shown), enabled: mayPreview })
  const tenant = useQuery({ ...tenantQuery(tenantId), enabled: mayPreview && can('tenants:read', tenantId) }).data
  const mistakes = fieldErrorsOf(preview.error)
  const path = `templates.${kind}.${channel}.${language}`
  const problemOf = (part: string) => mistakes[`${path}.${part}`] ?? problems[`delivery.${path}.${part}`]
  function change(next: OwnTemplate | undefined): void {
    const { templates: _before, ...rest } = modules.delivery ?? ({} as DeliveryModule)
    const all = withTemplate(templates, place, next)
    form.change({ ...modules, delivery: all === undefined ? rest : { ...rest, templates: all } })
  }
  // While the preview is read, the text of another message is shown.
  const begin =
    preview.data && !preview.isPlaceholderData && tenant
      ? () => change(templateFrom(preview.data, { tenant: tenant.name, ttlSeconds: modules.otp?.ttlSeconds }))
      : undefined
  return (
    <Section
      title="Texts"
      about="Each message has a built-in text in six languages. A custom text replaces one of them."
    >
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NativeSelect
          label="Message"
          value={kind}
          data={Object.entries(messageKinds).map(([value, label]) => ({
            value,
            label: templates[value as TemplateKind]?.[channel] === undefined ? label : `${label} · custom`,
          }))}
          onChange={({ currentTarget }) => onPlace({ ...place, kind: currentTarget.value as TemplateKind })}
        />
        <NativeSelect
          label="Channel"
          value={channel}
          data={Object.entries(channels).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => onPlace({ ...place, channel: currentTarget.value as DeliveryMethod })}
        />
        <LanguageInput
          value={language}
          known={[...new Set([...builtInLanguages, ...own])]}
          own={own}
          onChange={(tag) => onPlace({ ...place, language: tag })}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <TemplateFields {...{ place, template, mayChange, problemOf }} onChange={change} onBegin={begin} />
        {mayPreview ? (
          <MessagePreview query={preview} language={language} mistakes={mistakes} path={path} />
        ) : (
          <Stack>
            <Text size="sm" c="dimmed">
              The preview needs the scope messages:write.
            </Text>
          </Stack>
        )}
      </SimpleGrid>
    </Section>
  )
}
