import { createRequire } from 'node:module'
import type * as Liquid from 'liquidjs'

const require = createRequire(import.meta.url)
let library: typeof Liquid | undefined

/** The template library, loaded on first use instead of at startup: with its engines it takes 20 ms. */
export function liquid(): typeof Liquid {
  library ??= require('liquidjs') as typeof Liquid
  return library
}
