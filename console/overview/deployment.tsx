import { Alert, Anchor, List, SimpleGrid, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { LabelledValue } from '../parts/pages/labelled-value.tsx'
import { deploymentQuery } from '../shell/deployment-query.ts'

/** What the server warned of when it started. */
export function Warnings() {
  const warnings = useQuery(deploymentQuery).data?.warnings ?? []
  if (warnings.length === 0) return null
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle />}
      title="Warnings of the server"
      role="status"
      mb="md"
    >
      <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
        {warnings.map(({ code, message }) => (
          <List.Item key={`${code} ${message}`}>{message}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** How the deployment runs. */
export function Deployment() {
  const { data } = useQuery(deploymentQuery)
  const senders = (names: readonly string[] | undefined) =>
    data?.testingChannel
      ? 'Not sent; kept in the code inbox'
      : names?.length
        ? `Sent by ${names.join(', ')}`
        : 'No sender; set one for the deployment or for each tenant'
  return (
    <section className="panel" style={{ padding: 16 }} aria-label="Deployment">
      <Title order={2} fz="lg" mb="sm">
        Deployment
      </Title>
      <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
        <LabelledValue name="Version">{data?.version}</LabelledValue>
        <LabelledValue name="Environment">{data?.environment}</LabelledValue>
        <LabelledValue name="Database">{data && (data.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL')}</LabelledValue>
        <LabelledValue name="Public address">
          {data && (
            <Anchor href={data.publicUrl} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {data.publicUrl}
            </Anchor>
          )}
        </LabelledValue>
        <LabelledValue name="E-mail">{data && senders(data.senders.email)}</LabelledValue>
        <LabelledValue name="SMS">{data && senders(data.senders.sms)}</LabelledValue>
        <LabelledValue name="Expired codes and messages are kept">{data && `${data.retentionDays} days`}</LabelledValue>
      </SimpleGrid>
    </section>
  )
}
