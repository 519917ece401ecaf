import type { TestService } from '../service.ts'

/** A secret found in a place where it must not be. */
interface Leak {
  readonly secret: string
  readonly place: string
}

/** Secrets by name; none may appear anywhere. */
export type Secrets = Map<string, string>

/** Searches all output of the service for secrets, plain and in the encodings of logs and files. */
export function findLeaks(service: TestService, secrets: Secrets, errorBodies: readonly string[]): Leak[] {
  const places = Object.entries({
    log: Buffer.from(service.log.join('')),
    'error bodies': Buffer.from(errorBodies.join('\n')),
    ...service.database.bytes(),
  }).map(([place, bytes]) => ({ place, text: bytes.toString('latin1') }))
  // One pass over megabytes for all secrets; what it finds is then searched for each.
  const anySecret = new RegExp([...secrets.values()].flatMap(spellings).map(RegExp.escape).join('|'))
  const suspects = places.filter(({ text }) => anySecret.test(text))
  return [...secrets].flatMap(([name, secret]) =>
    suspects
      .filter(({ text }) => spellings(secret).some((spelling) => text.includes(spelling)))
      .map(({ place }) => ({ secret: name, place })),
  )
}

/** Removes log lines with the message `planted`, which a test wrote to see that a leak is found. */
export function removePlanted({ log }: TestService): void {
  log.splice(0, log.length, ...log.filter((line) => !line.includes('"msg":"planted"')))
}

/** As bytes read as Latin-1. */
const spellings = (secret: string): string[] => [
  Buffer.from(secret).toString('latin1'),
  Buffer.from(JSON.stringify(secret).slice(1, -1)).toString('latin1'),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
]
