import { demoProfileSchema } from '../../../demo/profile-schema.ts'
import type { TestService } from '../service.ts'

/** A tenant with everything that the console shows. */
export interface ShownTenant {
  readonly tenantId: string
  /** A user with a profile, sessions and messages. */
  readonly userId: string
}

const people = [
  ...['Ada Lovelace', 'Alan Turing', 'Grace Hopper', 'Katherine Johnson', 'Barbara Liskov', 'Edsger Dijkstra'],
  ...['Frances Allen', 'John Backus', 'Radia Perlman', 'Donald Knuth', 'Margaret Hamilton', 'Niklaus Wirth'],
  ...['مريم ميرزاخاني', 'Wolfeschlegelsteinhausenbergerdorff-Anastasopoulos Maximiliana'],
]
/** The part before the @ has at most 64 characters. */
const emailOf = (name: string, index: number): string => {
  const latin = name.replaceAll(/[^A-Za-z]+/g, '.').toLowerCase()
  return `${latin === '.' ? 'maryam' : latin.slice(0, 58)}${index}@example.com`
}
const password = 'correct horse battery'
const DAY = 86_400_000

/**
 * Creates the tenant through the API, as if people had signed up over the last days. The service's clock must stand that
 * many days before the time of the browser.
 */
export async function addShownTenant(service: TestService, { days = 1, perDay = 14 } = {}): Promise<ShownTenant> {
  const { admin, clock } = service
  await admin.createTenant({ name: 'Ein sehr langer Name eines Mandanten, der auf keinem Telefon in eine Zeile passt' })
  await admin.createTenant({ name: 'متجر الكتب' })
  const { tenantId, client } = await service.addTenant({ methods: ['password', 'otp', 'guest'] })
  await admin.updateTenant({ tenantId }, { name: 'Acme Shop' })
  await admin.publishProfileSchema({ tenantId }, demoProfileSchema)
  let userId = ''
  let index = 0
  for (let day = 0; day < days; day++) {
    // More people from day to day, and fewer at its end of the week.
    const signUps = Math.max(1, Math.round((perDay * (day + 1) * (day % 7 < 5 ? 1 : 0.6)) / days))
    for (let n = 0; n < signUps; n++) {
      const name = people[index % people.length]!
      const [given = '', ...family] = name.split(' ')
      const email = emailOf(name, index++)
      const profile = { firstName: given, fullName: { given, family: family.join(' ') }, country: 'FR' }
      const { user } = await client.signUp({ method: 'password', email, password, profile })
      userId ||= user.id
      const phone = n % 2 === 0 ? `+336${String(10_000_000 + index)}` : undefined
      if (n % 5 !== 4) await admin.updateUser({ tenantId, userId: user.id }, { emailVerified: true, phone })
      if (n % 3 === 0) await client.signIn({ method: 'password', email, password })
      if (n % 4 === 0) await client.resetPassword({ step: 'challenge', email })
      clock.advance(Math.floor(DAY / signUps))
    }
    await service.service.services.delivery.drain()
  }
  const { items } = await admin.listUsers({ tenantId }, { limit: 5, order: 'newest' })
  await admin.updateUser({ tenantId, userId: items[2]!.id }, { suspension: { reason: 'Chargeback' } })
  const restriction = { capability: 'profile_update', reason: 'Under review' } as const
  await admin.updateUser({ tenantId, userId: items[3]!.id }, { restrictions: [restriction] })
  await admin.createOperator({ name: 'Support desk', role: 'support' })
  return { tenantId, userId }
}
