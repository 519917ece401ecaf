import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconForms } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReadProfile, StoredProfileSchema } from '../../packages/client/src/admin.ts'
import type { ProfileFormSection } from '../../packages/client/src/react/profile-fields.ts'
import { Empty } from '../parts/pages/empty.tsx'
import { Fact, Facts } from '../parts/pages/facts.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { useIsSlow } from '../parts/pages/slow.ts'
import { useCan } from '../session/session.tsx'
import { EditProfile } from './edit-profile.tsx'
import { Panel } from './panel.tsx'
import { locale, nothingTyped, profileSections } from './profile-view.ts'
import { hasValue, shownValue } from './shown-value.ts'
import { currentSchemaQuery, profileQuery, type UserPath } from './users-queries.ts'

/** The profile by the labels and sections of the schema. */
export function ProfilePanel({ path }: { readonly path: UserPath }) {
  const can = useCan()
  const maySeeSchema = can('schema:read', path.tenantId)
  const stored = useQuery(profileQuery(path))
  const schema = useQuery({ ...currentSchemaQuery(path.tenantId), enabled: maySeeSchema })
  const [isEditing, setEditing] = useState(false)
  const isSlow = useIsSlow(stored.isPending)
  const error = stored.error ?? schema.error
  const read = stored.data
  const isReady = read !== undefined && (!maySeeSchema || schema.data !== undefined)
  const hasFields = schema.data !== undefined && schema.data.components.length > 0
  const edit = () => setEditing(true)
  return (
    <Panel
      title="Profile"
      actions={
        !isEditing &&
        hasFields &&
        read !== undefined &&
        can('profiles:write', path.tenantId) && (
          <Button size="xs" variant="default" onClick={edit}>
            {read.profile.createdAt === null ? 'Fill in' : 'Edit'}
          </Button>
        )
      }
    >
      {error !== null && (
        <Problem error={error} retry={() => void (stored.error === null ? schema.refetch() : stored.refetch())} />
      )}
      {isSlow && <Skeleton height={160} />}
      {isReady &&
        (isEditing && schema.data !== undefined ? (
          <EditProfile path={path} schema={schema.data} read={read} onClose={() => setEditing(false)} />
        ) : (
          <Values profile={read.profile} schema={schema.data} />
        ))}
    </Panel>
  )
}

interface ValuesProps {
  readonly profile: ReadProfile
  readonly schema: StoredProfileSchema | undefined
}

function Values({ profile, schema }: ValuesProps) {
  const { id: _id, createdAt, updatedAt: _updatedAt, ...values } = profile
  if (createdAt === null) {
    const hasFields = Object.keys(values).length > 0
    return (
      <Empty title="No profile yet" isSmall Icon={IconForms}>
        {hasFields
          ? 'It begins when the user or you fill in the first field.'
          : 'The profile schema of this tenant has no fields yet.'}
      </Empty>
    )
  }
  if (schema === undefined) {
    return (
      <Facts>
        {Object.entries(values).map(([name, value]) => (
          <Fact key={name} name={name}>
            <bdi>{shownValue({ type: 'text', value, options: [] }, locale)}</bdi>
          </Fact>
        ))}
      </Facts>
    )
  }
  return <Sections sections={profileSections(schema, values, nothingTyped, locale)} />
}

/** Fields with a value; those without one on request, because a schema can have hundreds. */
function Sections({ sections }: { readonly sections: readonly ProfileFormSection[] }) {
  const [showsEmpty, setShowsEmpty] = useState(false)
  const shown = sections.map((section) => ({
    ...section,
    fields: section.fields.filter(({ value }) => showsEmpty || hasValue(value)),
  }))
  const count = (of: readonly ProfileFormSection[]) => of.reduce((sum, { fields }) => sum + fields.length, 0)
  const hidden = count(sections) - count(shown)
  return (
    <Stack gap="lg">
      {shown
        .filter(({ fields }) => fields.length > 0)
        .map(({ section, title, fields }) => (
          <Stack key={section} gap="sm">
            {title !== undefined && (
              <Text component="h3" fw={600} size="sm" m={0} dir="auto">
                {title}
              </Text>
            )}
            <Facts>
              {fields.map((field) => (
                <Fact key={field.name} name={field.label}>
                  <bdi>{shownValue(field, locale)}</bdi>
                </Fact>
              ))}
            </Facts>
          </Stack>
        ))}
      {(hidden > 0 || showsEmpty) && (
        <Group>
          <Button size="xs" variant="default" aria-expanded={showsEmpty} onClick={() => setShowsEmpty(!showsEmpty)}>
            {showsEmpty ? 'Hide empty fields' : `Show ${hidden} empty ${hidden === 1 ? 'field' : 'fields'}`}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
