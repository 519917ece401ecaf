import type { TestService } from '../service.ts'

/** Recipients of notices in tests: an e-mail address and a phone number. */
export const email = { deliveryMethod: 'email', recipient: 'old@example.com' } as const
export const sms = { deliveryMethod: 'sms', recipient: '+33612345678' } as const

/** The outbox of a tenant, to add notices to. */
export const outboxOf = ({ service }: TestService, tenantId: string) =>
  service.services.storage.forTenant(tenantId).messages

/** The messages of a tenant in the testing channel, after everything due is delivered. */
export async function deliveredTo(service: TestService, tenantId: string) {
  await service.service.services.delivery.drain()
  const { messages } = await service.admin.listTestingChannelMessages({ tenantId })
  return messages
}
