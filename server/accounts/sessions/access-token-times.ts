/** Lifetime of an access token in seconds. */
export const accessTokenSeconds = 900

/** Seconds by which the clocks of two processes may differ. */
export const clockSkewSeconds = 60
