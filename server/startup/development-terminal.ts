import type { OtpScope } from '../../contract/accounts/otp.ts'
import type { Inbox } from '../delivery/inbox.ts'
import { openEntry } from '../delivery/testing-channel.ts'
import type { RefusedOrigin } from '../http/refused-origins.ts'
import type { Keyring } from '../secrets/keyring.ts'

/** What a development server prints for the person in front of it: codes as they are sent, and how to allow a page. */
export interface DevelopmentTerminal {
  printRefusedOrigin(refused: RefusedOrigin): void
  /** Prints the codes that reach the local development inbox. */
  printCodes(inbox: Inbox, keyring: Keyring): void
}

/** More codes in a second are counted only: a load test must not wait for the terminal. */
const mostPerSecond = 20

const purposes: Readonly<Record<OtpScope, string>> = {
  email_verification: 'to verify the e-mail address',
  phone_verification: 'to verify the phone number',
  reset_password: 'to reset the password',
  otp_signin: 'to sign in',
}

/**
 * @param print writes one line
 * @param adminUrl where `/admin` is served, when the server listens
 */
export function createDevelopmentTerminal(print: (line: string) => void, adminUrl: () => string): DevelopmentTerminal {
  let printed = 0
  let left = 0
  let isCounting = false

  function endSecond(): void {
    if (left > 0) print(`… ${left} more in the inbox`)
    isCounting = false
    printed = 0
    left = 0
  }

  return {
    printRefusedOrigin({ tenantId, origin }) {
      print(`Refused a page of the origin ${origin}: it is not in allowedOrigins of tenant ${tenantId}.`)
      if (origin === 'null') return print('  Serve the page over http: a page opened as a file has no origin.')
      const place = `--tenant ${tenantId} --url ${adminUrl()}`
      print(`  Allow it: npm run -s tenantry -- configuration allow-origin ${origin} ${place}`)
    },
    printCodes(inbox, keyring) {
      inbox.watch((posted) => {
        for (const entry of posted) {
          if (!isCounting) setTimeout(endSecond, 1_000).unref()
          isCounting = true
          if (printed === mostPerSecond) {
            left++
            continue
          }
          const { code, scope, recipient } = openEntry(entry, keyring)
          if (code === null) continue
          printed++
          print(`Code for ${recipient} ${scope === null ? 'in a notice' : purposes[scope]}: ${code}`)
        }
      })
    },
  }
}
