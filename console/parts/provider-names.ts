/** The identity providers, as they are shown. */
export const providerNames = { google: 'Google', apple: 'Apple', facebook: 'Facebook' } as const
