import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'

const views = [
  { value: 'fields', label: 'Fields' },
  { value: 'forms', label: 'Forms' },
  { value: 'migrations', label: 'Migrations' },
  { value: 'json', label: 'JSON' },
  { value: 'versions', label: 'Versions' },
]

interface ShownView {
  readonly view: string
  readonly show: (view: string) => void
}

/** The view that the address names; the fields where it names none. */
export function useShownView(): ShownView {
  const search = useSearch({ from: '/signed-in/tenants/$tenantId/profile-schema' })
  const view = views.find(({ value }) => value === search.view)?.value ?? 'fields'
  const navigate = useNavigate({ from: '/tenants/$tenantId/profile-schema' })
  const show = (next: string) =>
    void navigate({ search: { view: next === 'fields' ? undefined : next }, replace: true, resetScroll: false })
  return { view, show }
}

export function ViewControl({ view, show }: ShownView) {
  return (
    <SegmentedControl
      aria-label="View"
      value={view}
      data={views}
      mb="md"
      maw="100%"
      style={{ overflowX: 'auto' }}
      // On a phone, all of them fit.
      vars={() => ({
        root: {
          '--sc-padding': '0.3125rem clamp(0.25rem, 1.6vw, 0.625rem)',
          '--sc-font-size': 'clamp(0.75rem, 3.9vw, 0.875rem)',
        },
      })}
      onChange={show}
    />
  )
}
