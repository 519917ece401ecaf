const DAY = 86_400_000

/**
 * How long the network of a session stays known for its user after the session ended, so that signing out or travelling
 * does not make the user's own network unknown. In milliseconds.
 */
export const knownNetworkMs = 30 * DAY
