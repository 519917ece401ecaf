import type { AdminOutputOf, DeliveryMethod, DeliveryModule } from '../../../packages/client/src/admin.ts'

/**
 * Who carries the messages of a channel: outside production the code inbox, whatever is set up; then the tenant's senders,
 * those of the deployment, or none.
 */
export type Carrier = 'inbox' | 'tenant' | 'deployment' | 'none'
export type Carriers = Readonly<Record<DeliveryMethod, Carrier>>

type Deployment = Pick<AdminOutputOf<'getDeployment'>, 'testingChannel' | 'senders'>

export function carriersOf({ testingChannel, senders }: Deployment, delivery: DeliveryModule | undefined): Carriers {
  const carrier = (method: DeliveryMethod): Carrier => {
    if (testingChannel) return 'inbox'
    if (delivery?.[method]?.length) return 'tenant'
    return senders[method].length > 0 ? 'deployment' : 'none'
  }
  return { email: carrier('email'), sms: carrier('sms') }
}
