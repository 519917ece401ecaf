import type { z } from 'zod'
import type { Operation } from '../../../../contract/operation.ts'

type Bodies<O> = O extends { readonly bodyShape: infer S extends z.ZodType }
  ? { readonly bodies: Readonly<Record<string, z.input<S>>> }
  : O extends { readonly body: infer S extends z.ZodType }
    ? { readonly bodies: Readonly<Record<string, z.input<S>>> }
    : O extends { readonly bodyLines: infer S extends z.ZodType }
      ? { readonly bodies: Readonly<Record<string, z.input<S>>> }
      : { readonly bodies?: undefined }

/** The examples of an operation by name: bodies, or lines of one, and the `data` of answers, or lines or events. */
export type ExamplesOf<O extends Operation> = Bodies<O> &
  (O['status'] extends 204
    ? { readonly answers?: undefined }
    : { readonly answers: Readonly<Record<string, z.output<O['output']>>> })

/** The examples of any operation. */
export interface Examples {
  readonly bodies?: Readonly<Record<string, unknown>> | undefined
  readonly answers?: Readonly<Record<string, unknown>> | undefined
}
