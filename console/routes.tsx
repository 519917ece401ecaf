import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { logSearch } from './activity/log-search.ts'
import { loadFile } from './parts/pages/load-file.ts'
import { PageNotFound } from './parts/pages/not-found.tsx'
import { sessionQuery } from './session/session.tsx'
import { SignIn } from './session/sign-in.tsx'
import { Frame } from './shell/frame.tsx'
import { ScreenFailed, SessionAwaited, SessionUnknown } from './shell/screen-failed.tsx'
import { texts } from './shell/search.ts'
import { userSearch } from './users/user-search.ts'

/**
 * The screens, one line each: path, search parameters, file. A screen is loaded when it is visited; its file exports
 * `Screen`, whose return type is written out (`: ReactNode`), because the router's type is made of these.
 */
const load = (file: () => Promise<{ readonly Screen: () => ReactNode }>) =>
  lazyRouteComponent(() => loadFile(file), 'Screen')

interface Context {
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: PageNotFound })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: texts('to'),
  component: SignIn,
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Frame,
  errorComponent: SessionUnknown,
  pendingComponent: SessionAwaited,
  beforeLoad: async ({ context: { queries }, location, preload }) => {
    const { operator } = await (preload ? queries.ensureQueryData(sessionQuery) : queries.fetchQuery(sessionQuery))
    if (operator === null) throw redirect({ to: '/sign-in', search: { to: location.href } })
  },
})

const at = () => signedIn

// biome-ignore format: one line a screen
const screens = [
  createRoute({ getParentRoute: at, path: '/', component: load(() => import('./overview/overview.tsx')) }),
  createRoute({ getParentRoute: at, path: '/tenants', validateSearch: texts('q', 'cursor'), component: load(() => import('./tenants/tenants.tsx')) }),
  createRoute({ getParentRoute: at, path: '/tenants/$tenantId', component: load(() => import('./tenants/tenant.tsx')) }),
  createRoute({ getParentRoute: at, path: '/tenants/$tenantId/users', validateSearch: userSearch, component: load(() => import('./users/users.tsx')) }),
  createRoute({ getParentRoute: at, path: '/tenants/$tenantId/users/import', component: load(() => import('./users/import-users.tsx')) }),
  createRoute({ getParentRoute: at, path: '/tenants/$tenantId/users/$userId', component: load(() => import('./users/user.tsx')) }),
  createRoute({ getParentRoute: at, path: '/tenants/$tenantId/profile-schema', validateSearch: texts('version', 'view'), component: load(() => import('./profile-schema/profile-schema.tsx')) }),
  createRoute({ getParentRoute: at, path: '/tenants/$tenantId/sign-in', component: load(() => import('./sign-in-settings/sign-in-settings.tsx')) }),
  createRoute({ getParentRoute: at, path: '/tenants/$tenantId/delivery', validateSearch: texts('kind', 'channel', 'language'), component: load(() => import('./delivery/delivery.tsx')) }),
  createRoute({ getParentRoute: at, path: '/tenants/$tenantId/messages', validateSearch: texts('state', 'recipient', 'cursor'), component: load(() => import('./messages/messages.tsx')) }),
  createRoute({ getParentRoute: at, path: '/tenants/$tenantId/keys', validateSearch: texts('cursor'), component: load(() => import('./keys/keys.tsx')) }),
  createRoute({ getParentRoute: at, path: '/tenants/$tenantId/activity', validateSearch: logSearch, component: load(() => import('./activity/tenant-activity.tsx')) }),
  createRoute({ getParentRoute: at, path: '/tenants/$tenantId/configuration', component: load(() => import('./configuration/configuration.tsx')) }),
  createRoute({ getParentRoute: at, path: '/code-inbox', validateSearch: texts('tenantId', 'recipient'), component: load(() => import('./code-inbox/code-inbox.tsx')) }),
  createRoute({ getParentRoute: at, path: '/activity', validateSearch: logSearch, component: load(() => import('./activity/deployment-activity.tsx')) }),
  createRoute({ getParentRoute: at, path: '/operators', validateSearch: texts('cursor'), component: load(() => import('./operators/operators.tsx')) }),
  createRoute({ getParentRoute: at, path: '/signing-keys', component: load(() => import('./signing-keys/signing-keys.tsx')) }),
  createRoute({ getParentRoute: at, path: '/$', component: PageNotFound }),
] as const

const routeTree = root.addChildren([signIn, signedIn.addChildren([...screens])])

export const createConsoleRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    basepath: '/console',
    context: { queries },
    // Every parameter is a text. By default they are JSON: version 1.10 in a link would be 1.1.
    parseSearch: parseSearchWith((text) => text),
    stringifySearch: stringifySearchWith(String),
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // The same screen of another tenant or user is mounted again: a draft must not be saved at another tenant.
    defaultRemountDeps: ({ params }) => params,
    defaultNotFoundComponent: PageNotFound,
    defaultErrorComponent: ScreenFailed,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
