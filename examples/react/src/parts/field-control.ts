/** The attributes that connect a control with the label, hint and error of its field. */
export interface ControlAttributes {
  readonly id: string
  readonly disabled: boolean
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}
