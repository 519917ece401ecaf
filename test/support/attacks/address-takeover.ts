import assert from 'node:assert/strict'
import type { TenantryClient } from '../../../packages/client/src/index.ts'
import { addPerson, type Person } from '../person.ts'
import type { TestService, TestTenant } from '../service.ts'
import { newEmail, newPhone } from '../sign-in-methods.ts'

/** The two kinds of address, and the start of a change of each. */
export const addressKinds = {
  email: {
    scope: 'email_verification',
    address: newEmail,
    start: (client: TenantryClient, email: string) => client.changeEmail({ email }),
  },
  phone: {
    scope: 'phone_verification',
    address: newPhone,
    start: (client: TenantryClient, phone: string) => client.changePhone({ phone }),
  },
} as const
type Kind = keyof typeof addressKinds

/** A tenant whose users' addresses are taken over and restored. */
export function addressTakeover(service: TestService, tenant: TestTenant) {
  return {
    /** Changes an address, with the code that goes to the new one. */
    async change(kind: Kind, client: TenantryClient, to: string = addressKinds[kind].address()): Promise<string> {
      const { id } = await addressKinds[kind].start(client, to)
      await tenant.client.verifyOtp({ id, scope: addressKinds[kind].scope, code: await service.codeOf(id) })
      return to
    },

    /** The id and code of the latest undo notice to a recipient. */
    async undoOf(recipient: string): Promise<{ id: string; code: string }> {
      await service.service.services.delivery.drain()
      const { messages } = await service.admin.listTestingChannelMessages({ recipient })
      const notice = messages.findLast(({ scope, code }) => scope === null && code !== null)
      assert.ok(notice?.otpId && notice.code, `no undo was sent to ${recipient}`)
      assert.ok(notice.text.includes(notice.code) && notice.text.includes(notice.otpId))
      return { id: notice.otpId, code: notice.code }
    },

    /** A victim with verified addresses, and an attacker with a fresh access token of the victim. */
    async victimAndAttacker() {
      const person = await addPerson(service, tenant)
      await person.prove()
      const session = await person.signIn()
      service.clock.advance(1000)
      return { person, session, attacker: tenant.client.withSession(session.accessToken) }
    },

    accountOf: ({ userId }: Person) => service.admin.getUser({ tenantId: tenant.tenantId, userId }),
  }
}
