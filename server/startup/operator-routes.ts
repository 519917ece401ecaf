import { getLiveness, getMetrics, getReadiness } from '../../contract/system.ts'
import type { Route } from '../http/mount.ts'

/** Paths for operators only; `/console` is reserved. */
const operatorPrefixes = ['/admin', '/console']
/** Served by both listeners, for load balancers and scrapers. */
const sharedPaths: readonly string[] = [getLiveness.path, getReadiness.path, getMetrics.path]

/** The routes of the two listeners, for a deployment that sets `ADMIN_PORT`. */
interface SplitRoutes {
  readonly clients: Route[]
  readonly operators: Route[]
}

/** Splits the routes by path. Each listener responds with 404 to the paths of the other, for every method. */
export function splitRoutes(routes: readonly Route[]): SplitRoutes {
  const isOperators = ({ operation: { path } }: Route) =>
    operatorPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  return {
    clients: routes.filter((route) => !isOperators(route)),
    operators: routes.filter((route) => isOperators(route) || sharedPaths.includes(route.operation.path)),
  }
}
