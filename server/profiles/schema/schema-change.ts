/** A change that would break stored profiles or clients of the current schema. */
export interface SchemaChange {
  /** The field's name in the current schema, or in the candidate when only the candidate has the field. */
  readonly field: string
  readonly kind: 'removed' | 'retyped' | 'narrowed' | 'conditional'
  /** For the operator. */
  readonly message: string
}
