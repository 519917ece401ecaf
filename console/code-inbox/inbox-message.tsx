import { Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconDeviceMobileMessage, IconMail } from '@tabler/icons-react'
import { memo, useId } from 'react'
import { Address } from '../parts/address.tsx'
import { Copy } from '../parts/copy.tsx'
import { toast } from '../parts/pages/toast.ts'
import { Time } from '../parts/times/time.tsx'
import { TenantName } from '../tenants/tenant-name.tsx'
import classes from './code-inbox.module.css'
import { purposeOf } from './purpose.ts'
import type { TestingChannelMessage } from './testing-channel-message.ts'

interface InboxMessageProps {
  readonly message: TestingChannelMessage
  readonly isOpen: boolean
  readonly onToggle: (id: string) => void
  /** Not while only one tenant is shown. */
  readonly showsTenant: boolean
}

/** A message: its code large, who gets it and why; opened, its text. */
export const InboxMessage = memo(function InboxMessage({ message, isOpen, onToggle, showsTenant }: InboxMessageProps) {
  const { id, tenantId, deliveryMethod, recipient, code, text, createdAt } = message
  const textId = useId()
  const Icon = deliveryMethod === 'sms' ? IconDeviceMobileMessage : IconMail
  return (
    <li className={`panel ${classes['message']}`} data-code={code ?? undefined}>
      <Group gap="0 0.75rem" justify="flex-end" className={classes['line'] ?? ''}>
        <UnstyledButton
          className={classes['opener'] ?? ''}
          onClick={() => onToggle(id)}
          aria-expanded={isOpen}
          aria-controls={textId}
          data-message={id}
        >
          <Icon size={20} stroke={1.6} aria-hidden className={classes['icon']} />
          <Stack gap={0} miw={0}>
            <span className="row-name">
              <Address value={recipient} />
            </span>
            <Text component="span" size="xs" c="dimmed" className={classes['about'] ?? ''}>
              <span>
                {purposeOf(message)} · <Time at={createdAt} />
              </span>
              {showsTenant && (
                <span className={classes['tenant']}>
                  <TenantName tenantId={tenantId} />
                </span>
              )}
            </Text>
          </Stack>
        </UnstyledButton>
        {code !== null && (
          <Group gap="sm" wrap="nowrap" my={6}>
            <span className={code.length > 10 ? classes['longCode'] : classes['code']}>{code}</span>
            <Copy value={code} what="code" size="lg" onCopied={() => toast(`${code} is copied.`)} />
          </Group>
        )}
      </Group>
      {isOpen && (
        <Text id={textId} size="sm" className={classes['text'] ?? ''} dir="auto">
          {text}
        </Text>
      )}
    </li>
  )
})
