import { Breadcrumbs, Container, Group, Stack, Text, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { TenantCrumb } from '../../tenants/tenant-crumb.tsx'
import { useTenantName } from '../../tenants/tenant-options.ts'

interface PageProps {
  readonly title: string
  /** The title is the name of what is shown. */
  readonly isName?: true
  /** The title is about the tenant itself, which is not named beside it. */
  readonly isOfTenant?: true
  /** A sentence below the title. */
  readonly about?: ReactNode
  /** Links to the screens above this one. */
  readonly above?: ReactNode
  /** Beside the title: the state of what is shown. */
  readonly state?: ReactNode
  /** The buttons of the screen, the most important one last. */
  readonly actions?: ReactNode
  /** What is read: `narrow` for forms. */
  readonly width?: 'narrow' | 'wide'
  readonly children: ReactNode
}

/**
 * A screen: its only `h1`, which gets the focus after a navigation, and the title of the document. A screen of a tenant says
 * of which one: screens of several tenants are open in several tabs, and a phone shows no switcher.
 */
export function Page({ title, isName, isOfTenant, about, above, state, actions, width = 'wide', children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const params = useParams({ strict: false })
  const tenantId = isOfTenant ? undefined : params.tenantId
  const tenant = useTenantName(tenantId)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    document.title = [title, tenant, 'Tenantry'].filter((part) => part !== undefined).join(' · ')
  }, [title, tenant])
  return (
    <Container
      className="page"
      size={width === 'narrow' ? 760 : 1200}
      px={{ base: 'md', sm: 'xl' }}
      py={{ base: 'lg', sm: 'xl' }}
      mx={0}
    >
      {(above !== undefined || tenantId !== undefined) && (
        <Breadcrumbs
          className="above"
          mb="sm"
          separatorMargin="xs"
          component="nav"
          aria-label="Above this page"
          {...(tenantId !== undefined && { 'data-tenant': true })}
          {...(above === undefined && { hiddenFrom: 'md' })}
        >
          {tenantId !== undefined && <TenantCrumb tenantId={tenantId} />}
          {above}
          {above !== undefined && (
            <Text size="sm" c="dimmed" lh={1.5} truncate maw={360} dir="auto">
              {title}
            </Text>
          )}
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start" gap="md" mb="lg">
        <Stack gap={4} miw={0} flex="1 1 260px">
          {/* A name is longer than the word shown while it is read, and must not push the screen down. */}
          <Group gap="sm" wrap="nowrap">
            <Title
              order={1}
              ref={heading}
              tabIndex={-1}
              dir="auto"
              title={title}
              miw={0}
              {...(isName && { lineClamp: 1 })}
            >
              {title}
            </Title>
            {state}
          </Group>
          {about !== undefined && about !== false && (
            <Text c="dimmed" size="sm" component="div" maw="65ch" style={{ textWrap: 'pretty' }}>
              {about}
            </Text>
          )}
        </Stack>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Container>
  )
}
