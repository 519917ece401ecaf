import type { TestService } from './service.ts'

/** A secret found in a place where it must not be. */
export interface Leak {
  readonly secret: string
  readonly place: string
}

/** Secrets by name; none may appear anywhere. */
export type Secrets = Map<string, string>

/** Searches all output of the service for secrets, plain and in the encodings of logs and files. */
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
