/** An answer with the revision of what it shows; 0: nothing is stored yet. */
export interface Revisioned<T> {
  readonly data: T
  readonly revision: number
}
