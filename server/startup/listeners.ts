import type { FastifyInstance } from 'fastify'
import { routesIn } from '../app.ts'
import { createCallerAddress } from '../http/caller-address.ts'
import { mountConsole } from '../http/console/console.ts'
import { mountDocsPage } from '../http/docs-page.ts'
import { createRefusedOrigins, type RefusedOrigin } from '../http/refused-origins.ts'
import { createHttpServer, type HttpServerOptions } from '../http/server.ts'
import { renderStartPage } from '../http/start-page.ts'
import { countedOtps } from '../metrics/otp-steps.ts'
import type { Services } from '../services.ts'
import type { ServiceSettings } from '../settings/service-settings.ts'
import { splitRoutes } from './operator-routes.ts'
import { startPageLinks } from './start-page-links.ts'

/** The HTTP servers of a service. */
export interface Listeners {
  readonly http: FastifyInstance
  /** Serves `/admin`, the console, health and metrics on a separate listener; null when `http` serves them. */
  readonly adminHttp: FastifyInstance | null
}

/**
 * Creates the listeners with their routes and pages.
 * @param recordOperatorUse records the use of an operator's key
 */
export function createListeners(
  services: Services,
  settings: ServiceSettings,
  recordOperatorUse: HttpServerOptions['recordOperatorUse'],
): Listeners {
  const { environment, separateAdmin = false } = settings
  const options = { ...optionsOf(services, settings), recordOperatorUse }
  const served = routesIn(environment).map((route) => countedOtps(route, services.metrics.countOtp))
  const separated = separateAdmin ? splitRoutes(served) : null
  const startPage = (of: 'everyone' | 'clients' | 'operators') => renderStartPage(startPageLinks(environment, of))
  const http = createHttpServer({
    ...options,
    startPage: startPage(separated ? 'clients' : 'everyone'),
    routes: separated?.clients ?? served,
  })
  const adminHttp =
    separated && createHttpServer({ ...options, startPage: startPage('operators'), routes: separated.operators })
  mountDocsPage(http, services.openApiDocument)
  mountConsole(adminHttp ?? http)
  return { http, adminHttp }
}

function optionsOf(
  services: Services,
  settings: ServiceSettings,
): Omit<HttpServerOptions, 'routes' | 'startPage' | 'recordOperatorUse'> {
  const { metrics, limiter, logger, keyUses } = services
  return {
    ...services,
    services,
    limiter: metrics.countedLimiter(limiter),
    meter: metrics.answers,
    requestLog: settings.requestLog ?? null,
    origins: {
      allowLoopback: settings.environment === 'development',
      onRefused: createRefusedOrigins(settings.onRefusedOrigin ?? logRefusedOrigin(logger)),
    },
    callerAddress: createCallerAddress(settings.clientAddress, logger, metrics.countUnnamedProxy),
    recordKeyUse: keyUses.record,
    ...(settings.timeouts && { timeouts: settings.timeouts }),
  }
}

const logRefusedOrigin =
  (logger: ServiceSettings['logger']) =>
  ({ tenantId, origin }: RefusedOrigin): void =>
    logger.info(
      { tenantId, origin },
      'browser origin refused; if the page is yours, allow it with "tenantry configuration allow-origin"',
    )
