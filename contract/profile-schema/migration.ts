import { z } from 'zod'
import { ProfileFieldValue } from './component.ts'

const move = z.strictObject({ from: z.string(), to: z.string() })

/** One step that migrates stored profiles from the previous version; steps run in order. */
export const ProfileMigration = z.union([
  z.strictObject({ rename: move }),
  z.strictObject({ drop: z.string() }),
  z.strictObject({ default: z.strictObject({ field: z.string(), value: ProfileFieldValue }) }),
  z.strictObject({
    map: z.strictObject({
      field: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
  }),
  z.strictObject({ copy: move }),
  z.strictObject({
    cast: z.strictObject({
      field: z.string(),
      to: z.enum(['text', 'number', 'integer', 'boolean', 'date', 'list']),
    }),
  }),
  z.strictObject({ split: z.strictObject({ from: z.string(), separator: z.string(), to: z.array(z.string()) }) }),
  z.strictObject({ join: z.strictObject({ from: z.array(z.string()), separator: z.string(), to: z.string() }) }),
])
export type ProfileMigration = z.infer<typeof ProfileMigration>
