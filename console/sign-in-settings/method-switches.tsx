import { Checkbox, Group, Stack, Switch, Text } from '@mantine/core'
import { settingRanges } from '../../contract/tenants/setting-ranges.ts'
import type { AuthMethod, AuthModule } from '../../packages/client/src/admin.ts'
import { mergedList } from '../parts/lists/merged-list.ts'
import { useCarriers } from '../parts/messages/use-carriers.ts'
import { LinesInput } from '../parts/settings/lines-input.tsx'
import { Section } from '../parts/settings/section.tsx'
import type { SettingsForm } from '../parts/settings/use-settings.ts'
import { WholeNumber } from '../parts/settings/whole-number.tsx'
import { State } from '../parts/state.tsx'
import { isProvider, missingFor, type ProviderName, signInMethods } from './sign-in-methods.ts'

interface PartProps {
  readonly form: SettingsForm
  readonly auth: AuthModule
  readonly change: (auth: AuthModule) => void
}

/** Each way to sign in with what it needs; its settings appear when it is on. */
export function MethodSwitches({ form }: { readonly form: SettingsForm }) {
  const { modules = {}, mayChange, problems } = form
  const auth = modules.auth ?? { methods: [] }
  const carriers = useCarriers(modules.delivery)
  const change = (next: AuthModule) => form.change({ ...modules, auth: next })
  const toggle = (method: AuthMethod, isOn: boolean) => {
    const next = isOn ? [...auth.methods, method] : auth.methods.filter((one) => one !== method)
    // In the order that is stored, also when one is off and on again.
    const stored = form.query.data?.modules.auth?.methods ?? []
    change({ ...auth, methods: mergedList(stored, next, stored) })
  }
  return (
    <Section title="Ways to sign in" about="Applications offer the ways that are on.">
      {problems['auth.methods'] !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" tabIndex={-1} data-refused>
          {problems['auth.methods']}
        </Text>
      )}
      {(Object.keys(signInMethods) as AuthMethod[]).map((method) => {
        const { label, needs } = signInMethods[method]
        const isOn = auth.methods.includes(method)
        const missing = isOn
          ? missingFor(method, carriers, isProvider(method) ? auth[method]?.clientIds : undefined)
          : null
        return (
          <Stack key={method} gap="sm">
            <Group gap="sm" align="flex-start" justify="space-between" wrap="nowrap">
              <Switch
                label={label}
                description={needs}
                checked={isOn}
                disabled={!mayChange}
                onChange={({ currentTarget }) => toggle(method, currentTarget.checked)}
                styles={{ label: { fontWeight: 600 } }}
              />
              {missing !== null && <State tone="warn">{missing}</State>}
            </Group>
            {isOn && isProvider(method) && <Provider name={method} {...{ form, auth, change }} />}
            {isOn && method === 'guest' && <Guests {...{ form, auth, change }} />}
          </Stack>
        )
      })}
    </Section>
  )
}

const inset = { paddingInlineStart: 50 } as const

function Provider({ name, form, auth, change }: PartProps & { readonly name: ProviderName }) {
  const settings = auth[name]
  const { label } = signInMethods[name]
  return (
    <Stack gap="sm" style={inset}>
      <LinesInput
        label={`Client ids of ${label}`}
        description="One on each line."
        value={settings?.clientIds ?? []}
        disabled={!form.mayChange}
        form={form}
        path={`auth.${name}.clientIds`}
        onChange={(clientIds) => {
          const { [name]: _none, ...others } = auth
          const isEmpty = clientIds.length === 0 && settings?.plainNonce !== true
          change(isEmpty ? others : { ...auth, [name]: { ...settings, clientIds } })
        }}
      />
      <Checkbox
        label="Also accept tokens with the nonce itself"
        description="Only for SDKs that cannot hash it. It makes stolen tokens easier to use."
        checked={settings?.plainNonce === true}
        disabled={!form.mayChange}
        onChange={({ currentTarget: { checked } }) => {
          const { plainNonce: _none, ...rest } = settings ?? { clientIds: [] }
          change({ ...auth, [name]: checked ? { ...rest, plainNonce: true } : rest })
        }}
      />
    </Stack>
  )
}

function Guests({ form, auth, change }: PartProps) {
  return (
    <div style={inset}>
      <WholeNumber
        label="Delete guests without activity after"
        unit="days"
        range={settingRanges.auth.guest.idleDays}
        placeholder="Never"
        value={auth.guest?.idleDays}
        disabled={!form.mayChange}
        error={form.problems['auth.guest.idleDays']}
        onChange={(idleDays) => change({ ...auth, guest: idleDays === undefined ? {} : { idleDays } })}
      />
    </div>
  )
}
