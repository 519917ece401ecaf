/**
 * Counts in how many turns of the event loop something happens. Statements that wait for each other are sent to PostgreSQL in
 * different turns; SQLite answers at once.
 */
export class EventLoopTurns {
  calls = 0
  turns = 0
  #isInTurn = false

  note(): void {
    this.calls++
    if (this.#isInTurn) return
    this.turns++
    this.#isInTurn = true
    setImmediate(() => {
      this.#isInTurn = false
    })
  }
}
