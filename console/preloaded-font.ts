import type { Plugin } from 'vite'

/** Loads the font with the scripts. Otherwise, the page is shown in another one first, and its lines move. */
export const preloadedFont = (): Plugin => ({
  name: 'tenantry:preloaded-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_page, { bundle = {} }) {
      const font = Object.keys(bundle).find((name) => /inter-latin-wght-normal-[^/]+\.woff2$/.test(name))
      if (font === undefined)
        throw new Error('The font of the page is not in the build; correct its name in this plugin')
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/console/${font}`, crossorigin: true }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  },
})
