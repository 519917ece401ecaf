import packageJson from '../../package.json' with { type: 'json' }

/** The version of the service, as published. */
export const { version } = packageJson
