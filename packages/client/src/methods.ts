import type { CallOptions } from './call-options.ts'
import type { Answers, Done, Inputs, IssuedOtp, Operations, ResetPasswordBody } from './generated/types.ts'
import type { Route } from './route.ts'

/** The two steps of a password reset, each with its own result. */
export interface ResetPassword {
  (body: Extract<ResetPasswordBody, { step: 'challenge' }>, options?: CallOptions): Promise<IssuedOtp>
  (body: Extract<ResetPasswordBody, { step: 'confirm' }>, options?: CallOptions): Promise<Done>
  (body: ResetPasswordBody, options?: CallOptions): Promise<IssuedOtp | Done>
}

/** One method per operation: path parameters, then the body, lines or query, then the options of the call. */
export interface Methods extends Omit<Operations, 'resetPassword'> {
  /** Reset a password. Step `challenge` sends a code; step `confirm` stores the new password. */
  resetPassword: ResetPassword
}

/** The input of an operation: its body or its query. */
export type InputOf<Name extends keyof Operations> = Name extends keyof Inputs ? Inputs[Name] : undefined

/** The answer of an operation. */
export type OutputOf<Name extends keyof Operations> = Answers[Name]

/** One method per route, which calls `perform` with its arguments. */
export const methodsOf = <M>(
  routes: Readonly<Record<string, Route>>,
  perform: (route: Route, args: readonly unknown[], name: string) => unknown,
): M =>
  Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [name, (...args: unknown[]) => perform(route, args, name)]),
  ) as M
