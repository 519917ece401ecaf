/** The options of a campaign on the command line; each campaign reads those it needs. */
export interface CampaignOptions {
  readonly seed: number
  /** Default: that of the campaign. */
  readonly count?: number
  readonly cycles: number
  readonly rounds: number
  readonly only?: string
}

export type CampaignArguments = CampaignOptions & { readonly count: number }
