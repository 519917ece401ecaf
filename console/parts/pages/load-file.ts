/** A file of the console was not loaded: the server does not answer, or an upgrade gave its files new names. */
export class LoadError extends Error {
  override readonly name = 'LoadError'

  constructor(options?: ErrorOptions) {
    super('The server answers, but it did not send a file of this screen. Try again in a moment.', options)
  }
}

/** What Vite throws for a file, also for a dialog or an editor inside a screen. */
const ofVite = new WeakSet<Error>()
addEventListener('vite:preloadError', ({ payload }) => void ofVite.add(payload))

export const isLoadError = (error: unknown): boolean =>
  error instanceof LoadError || (error instanceof Error && ofVite.has(error))

let failure: LoadError | undefined

/**
 * Loads a file that the page does not have yet. After a failure, only a new page loads more: Vite requests each stylesheet
 * once, so that a second attempt would show a screen without its styles, and browsers may remember a script that failed.
 */
export async function loadFile<Module>(load: () => Promise<Module>): Promise<Module> {
  if (failure !== undefined) throw failure
  try {
    return await load()
  } catch (cause) {
    failure = new LoadError({ cause })
    throw failure
  }
}
