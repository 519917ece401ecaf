import type { FastifyInstance } from 'fastify'
import { mountConsole } from '../http/console.ts'
import { mountDocsPage } from '../http/docs-page.ts'
import type { Route } from '../http/mount.ts'
import { createHttpServer, type HttpServerOptions } from '../http/server.ts'
import { renderStartPage } from '../http/start-page.ts'
import type { Environment } from '../settings/config.ts'
import { splitRoutes } from './operator-routes.ts'
import { startPageLinks } from './start-page-links.ts'

/** The HTTP servers of a service. */
export interface Listeners {
  readonly http: FastifyInstance
  /** Serves `/admin`, the console, health and metrics on a separate listener; null when `http` serves them. */
  readonly adminHttp: FastifyInstance | null
}

/** Creates the listeners with their routes and pages. */
export function createListeners(
  options: Omit<HttpServerOptions, 'routes' | 'startPage'>,
  served: readonly Route[],
  { environment, separateAdmin = false }: { readonly environment: Environment; readonly separateAdmin?: boolean },
): Listeners {
  const separated = separateAdmin ? splitRoutes(served) : null
  const startPage = (of: 'everyone' | 'clients' | 'operators') => renderStartPage(startPageLinks(environment, of))
  const http = createHttpServer({
    ...options,
    startPage: startPage(separated ? 'clients' : 'everyone'),
    routes: separated?.clients ?? served,
  })
  const adminHttp =
    separated && createHttpServer({ ...options, startPage: startPage('operators'), routes: separated.operators })
  mountDocsPage(http, options.services.openApiDocument)
  mountConsole(adminHttp ?? http)
  return { http, adminHttp }
}
