import assert from 'node:assert/strict'
import { readConfig } from './read-config.ts'
import { ConfigError } from './settings-reader.ts'

/** The problems of these settings, one line each. */
export const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}
