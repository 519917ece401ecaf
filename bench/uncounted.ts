import { registerHooks } from 'node:module'

const source = 'export const createCounts = () => ({ add() {}, flush: async () => {} })'

// For `--import`: the service counts nothing for its statistics.
registerHooks({
  load: (url, context, nextLoad) =>
    url.endsWith('/server/statistics/counts.ts')
      ? { format: 'module', shortCircuit: true, source }
      : nextLoad(url, context),
})
