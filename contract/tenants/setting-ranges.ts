/** An inclusive range of whole numbers. */
export interface WholeRange {
  readonly min: number
  readonly max: number
}

/** The numbers that a tenant's configuration allows, for the schemas and for pages that show them: no zod. */
export const settingRanges = {
  auth: { guest: { idleDays: { min: 1, max: 3650 } } },
  otp: {
    length: { min: 4, max: 10 },
    ttlSeconds: { min: 1, max: 3600 },
    resendIntervalSeconds: { min: 0, max: 3600 },
    maxResends: { min: 0, max: 20 },
    maxVerifyAttempts: { min: 1, max: 10 },
  },
  security: { freshSeconds: { min: 60, max: 86_400 } },
  delivery: { smsDailyBudget: { min: 0, max: 10_000_000 } },
} as const satisfies Record<string, unknown>
