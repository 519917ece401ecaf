import { hash } from 'node:crypto'

/** base64url SHA-256 of an event's personal part as it was recorded: docs/decisions/0042-sealed-event-log.md. */
export const commitmentOf = (personal: string): string => hash('sha256', personal, 'base64url')
