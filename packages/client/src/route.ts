/** How to call an operation. `generated/routes.ts` has one for each. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are `:name`. */
  readonly path: string
  /** The credentials to send. */
  readonly auth: 'none' | 'tenant' | 'tenant, user' | 'tenant, user?' | 'admin'
  /** The part of the request that carries the input. */
  readonly takes?: 'body' | 'body, query' | 'query' | 'lines' | 'lines, query'
  readonly gives?: 'lines' | 'text'
  /** false: a success body has no envelope. */
  readonly envelope?: false
}
