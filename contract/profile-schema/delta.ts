import { z } from 'zod'
import { ProfileComponent } from './component.ts'
import { PresentationSection, ProfileForm } from './layout.ts'

/** What changed between two versions of a profile schema; `applyProfileSchemaDelta` applies it. */
export const ProfileSchemaDelta = z.object({
  from: z.string().meta({ description: 'The version that the client holds.' }),
  to: z.string().meta({ description: 'The current version.' }),
  components: z.object({
    set: z.array(ProfileComponent).meta({ description: 'New and changed components, whole.' }),
    remove: z.array(z.string()).meta({ description: 'Names of components that no longer exist.' }),
    order: z.array(z.string()).nullable().meta({
      description:
        'The names of all components in order; null: changed components keep their places, new ones follow in the order of `set`.',
    }),
  }),
  presentation: z.array(PresentationSection).nullable().meta({ description: 'null: unchanged.' }),
  forms: z.object({
    set: z.record(z.string(), ProfileForm).meta({ description: 'New and changed forms, whole.' }),
    remove: z.array(z.string()).meta({ description: 'Names of forms that no longer exist.' }),
  }),
})
export type ProfileSchemaDelta = z.infer<typeof ProfileSchemaDelta>
