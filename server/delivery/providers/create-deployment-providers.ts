import type { Provider } from '../provider.ts'
import type { DeploymentProviders } from './deployment-providers.ts'
import { createSmtpProvider } from './kinds/smtp.ts'
import { createTwilioProvider } from './kinds/twilio.ts'
import { createOutboundHttp } from './outbound-http.ts'

/** The providers that the environment names; the mail server may be in a private network, it is the operator's own. */
export function createDeploymentProviders({ smtp, mailFrom, twilio }: DeploymentProviders): Provider[] {
  return [
    ...(smtp ? [createSmtpProvider({ ...smtp, name: 'smtp', from: mailFrom, allowPrivate: true })] : []),
    ...(twilio
      ? [createTwilioProvider({ ...twilio, name: 'twilio' }, createOutboundHttp({ allowPrivate: false }))]
      : []),
  ]
}
