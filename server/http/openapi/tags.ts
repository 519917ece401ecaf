/** A group of operations. */
interface Tag {
  readonly name: string
  readonly description: string
  /** Path prefixes of the group's operations; the first match counts. */
  readonly prefix: string
}

/** The log of a tenant and that of the deployment. */
const events = { name: 'Events', description: 'Who did what, sealed in the background and listed once it is.' }

const tags: readonly Tag[] = [
  { name: 'One-time passwords', prefix: '/otp', description: 'Issue, verify, resend: addressed by their id.' },
  { name: 'Sign-in and password', prefix: '/auth/', description: 'Sign up, sign in, and reset a forgotten password.' },
  {
    name: 'Tenant configuration',
    prefix: '/tenant-configuration',
    description: 'What a client needs before a user signs in.',
  },
  { name: 'Account', prefix: '/account', description: 'The signed-in user.' },
  { name: 'Tenant keys', prefix: '/admin/tenants/:tenantId/keys', description: 'What client applications call with.' },
  {
    name: 'Users',
    prefix: '/admin/tenants/:tenantId/users',
    description: 'The users of a tenant, as the operator sees them.',
  },
  {
    name: 'Delivery',
    prefix: '/admin/tenants/:tenantId/delivery',
    description: 'How messages look, and whether they arrive.',
  },
  {
    name: 'Messages',
    prefix: '/admin/tenants/:tenantId/messages',
    description: 'Where the messages of a tenant stand, and another try for one that failed.',
  },
  { ...events, prefix: '/admin/tenants/:tenantId/events' },
  { ...events, prefix: '/admin/events' },
  { ...events, prefix: '/admin/checkpoint-keys' },
  {
    name: 'Console',
    prefix: '/admin/session',
    description: 'Signing in to the console in a browser.',
  },
  {
    name: 'Signing keys',
    prefix: '/admin/signing-keys',
    description: 'The keys that sign access tokens: rotated automatically, or at once when one leaked.',
  },
  {
    name: 'Operators',
    prefix: '/admin/operators',
    description: 'The people and programs that administer this deployment, their scopes and their keys.',
  },
  { name: 'Operators', prefix: '/admin/me', description: '' },
  { name: 'Tenants', prefix: '/admin/tenants', description: 'Tenants, their configuration and their profile schema.' },
  {
    name: 'Testing channel',
    prefix: '/admin/testing-channel',
    description: 'Messages with their codes, outside production only.',
  },
  { name: 'Service', prefix: '/', description: 'Health, public keys and this document.' },
]

const groups = [
  {
    name: 'For client applications',
    tags: ['One-time passwords', 'Sign-in and password', 'Tenant configuration', 'Account'],
  },
  {
    name: 'For the operator',
    tags: [
      ...['Tenants', 'Tenant keys', 'Users', 'Delivery', 'Messages', 'Events', 'Testing channel', 'Signing keys'],
      ...['Operators', 'Console'],
    ],
  },
  { name: 'Of the service', tags: ['Service'] },
]

/** The tag of an operation, by its path. */
export const tagOf = (path: string): string => tags.find(({ prefix }) => path.startsWith(prefix))!.name

/** `tags` and `x-tagGroups` of the document: those in use, in display order. */
export function describeTags(paths: readonly string[]) {
  const used = new Set(paths.map(tagOf))
  const named = groups
    .map(({ name, tags: members }) => ({ name, tags: members.filter((tag) => used.has(tag)) }))
    .filter((group) => group.tags.length > 0)
  const order = named.flatMap((group) => group.tags)
  const described = order.map((name) => ({ name, description: tags.find((tag) => tag.name === name)!.description }))
  return { tags: described, 'x-tagGroups': named }
}
