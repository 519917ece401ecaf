const DAY = 86_400_000

/**
 * For this long after a session has ended, its network stays known for its user: signing out, or a stay abroad, does not
 * make the user a stranger at home. In milliseconds.
 */
export const knownNetworkMs = 30 * DAY
