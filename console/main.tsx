import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './global.css'
import './print.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { ignoreHeldEnter } from './parts/ignore-held-enter.ts'
import { ignoreSecondClicks } from './parts/ignore-second-clicks.ts'
import { styleNonce } from './parts/nonce.ts'
import { createQueries } from './queries.ts'
import { createConsoleRouter } from './routes.tsx'
import { resolveVariables, theme } from './theme.ts'

// Dialogs lock scrolling with their own style element.
setNonce(styleNonce)
ignoreSecondClicks()
ignoreHeldEnter()

const queries = createQueries()

createRoot(document.getElementById('root')!).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={resolveVariables}
    defaultColorScheme="auto"
    getStyleNonce={() => styleNonce}
  >
    <QueryClientProvider client={queries}>
      <Notifications position="bottom-center" />
      <RouterProvider router={createConsoleRouter(queries)} />
    </QueryClientProvider>
  </MantineProvider>,
)
