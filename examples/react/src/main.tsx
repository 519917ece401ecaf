import { SessionProvider } from '@tenantry/client/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { LanguageProvider } from './language.tsx'
import { session } from './session.ts'
import './style.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <LanguageProvider>
      <SessionProvider session={session}>
        <App />
      </SessionProvider>
    </LanguageProvider>
  </StrictMode>,
)
