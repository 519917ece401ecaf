import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { DeliveryMethod, TemplateKind } from '../../packages/client/src/admin.ts'
import { messageStatisticsQuery } from '../messages/messages-queries.ts'
import { messageKinds } from '../parts/messages/message-kinds.ts'
import { useCarriers } from '../parts/messages/use-carriers.ts'
import { Page } from '../parts/pages/page.tsx'
import { SaveBar } from '../parts/settings/save-bar.tsx'
import { SettingsScreen } from '../parts/settings/settings-screen.tsx'
import { useSettings } from '../parts/settings/use-settings.ts'
import { useCan } from '../session/session.tsx'
import { Limits } from './limits.tsx'
import type { TemplatePlace } from './own-templates.ts'
import { SendTest } from './send-test.tsx'
import { SenderList } from './sender-list.tsx'
import { Templates } from './templates.tsx'
import { TestSender } from './test-sender.tsx'

/** How messages of a tenant are sent, and what they say. One save stores what changed. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId/delivery' })
  const search = useSearch({ from: '/signed-in/tenants/$tenantId/delivery' })
  const navigate = useNavigate({ from: '/tenants/$tenantId/delivery' })
  const can = useCan()
  const form = useSettings(tenantId)
  const states = useQuery({
    ...messageStatisticsQuery(tenantId),
    enabled: can('messages:read', tenantId),
  }).data?.senders
  const carriers = useCarriers(form.modules?.delivery)
  const mayTest = can('messages:write', tenantId)
  const [tested, setTested] = useState<{ readonly method: DeliveryMethod; readonly name: string } | null>(null)
  const place = placeOf(search, form.modules?.delivery?.defaultLocale)
  return (
    <Page title="Delivery" about="Who sends the messages of this tenant, and what they say.">
      <SettingsScreen form={form}>
        {(['email', 'sms'] as const).map((method) => (
          <SenderList
            key={method}
            {...{ form, tenantId, method, states }}
            carrier={carriers?.[method]}
            onTest={mayTest ? (name) => setTested({ method, name }) : undefined}
          />
        ))}
        <Templates
          tenantId={tenantId}
          form={form}
          place={place}
          onPlace={(next) => void navigate({ search: { ...next }, replace: true, resetScroll: false })}
        />
        {mayTest && <SendTest tenantId={tenantId} place={place} isChanged={form.changes.length > 0} />}
        <Limits form={form} />
      </SettingsScreen>
      {tested !== null && <TestSender {...{ tenantId, place, ...tested }} onClose={() => setTested(null)} />}
      <SaveBar form={form} shown={(path) => isShown(path, place)} />
    </Page>
  )
}

type Search = Readonly<Partial<Record<keyof TemplatePlace, string>>>

const placeOf = ({ kind, channel, language }: Search, defaultLocale = 'en'): TemplatePlace => ({
  kind: kind !== undefined && Object.hasOwn(messageKinds, kind) ? (kind as TemplateKind) : 'otp_signin',
  channel: channel === 'sms' ? 'sms' : 'email',
  language: language ?? defaultLocale,
})

/** Whether the message about a setting stands beside its field; those about texts that are not shown are listed. */
const isShown = (path: string, { kind, channel, language }: TemplatePlace): boolean =>
  /^delivery\.(email|sms)\.\d|^delivery\.(from|defaultLocale|webOtpDomain|smsDailyBudget|smsCountries)/.test(path) ||
  path.startsWith(`delivery.templates.${kind}.${channel}.${language}.`)
