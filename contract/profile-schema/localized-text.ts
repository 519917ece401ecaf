import { z } from 'zod'

/** A text for users: one string, or one per BCP 47 language tag with `default` for all others. */
export const LocalizedText = z.union([z.string(), z.object({ default: z.string() }).catchall(z.string())])
export type LocalizedText = z.infer<typeof LocalizedText>
