import type { TestService } from './service.ts'

/** A secret found where it must not be. */
export interface Leak {
  readonly secret: string
  readonly place: string
}

/** Secrets by what they are: each must be nowhere. */
export type Secrets = Map<string, string>

/** Looks for secrets, plain and as logs and files might spell them, in everything the service leaves behind. */
export function findLeaks(service: TestService, secrets: Secrets, errorBodies: readonly string[]): Leak[] {
  const places: [string, Buffer][] = [
    ['log', Buffer.from(service.log.join(''))],
    ['error bodies', Buffer.from(errorBodies.join('\n'))],
    ...Object.entries(service.database.bytes()),
  ]
  return [...secrets].flatMap(([name, secret]) =>
    places
      .filter(([, bytes]) => spellings(secret).some((spelling) => bytes.includes(spelling)))
      .map(([place]) => ({ secret: name, place })),
  )
}

const spellings = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
]
