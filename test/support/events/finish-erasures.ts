import type { TestService } from '../service.ts'

/** Seals all events, and lets housekeeping finish the erasures of all deleted users. Turns the clock by a minute. */
export async function finishErasures({ service, clock }: TestService): Promise<void> {
  await service.services.events.drain()
  clock.advance(60_001)
  await service.services.housekeeping.run()
}
