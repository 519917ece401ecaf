import { useSession } from '@tenantry/client/react'
import { Activity, type ComponentType, useState } from 'react'
import { LanguageSwitch, useLanguage } from './language.tsx'
import { StepUpDialog } from './parts/step-up-dialog.tsx'
import { goTo, Link, type Screen, useScreen } from './router.tsx'
import { AccountScreen } from './screens/account.tsx'
import { OnboardingScreen } from './screens/onboarding.tsx'
import { ProfileScreen } from './screens/profile.tsx'
import { ResetPasswordScreen } from './screens/reset-password.tsx'
import { SessionsScreen } from './screens/sessions.tsx'
import { SignInScreen } from './screens/sign-in.tsx'
import { SignUpScreen } from './screens/sign-up.tsx'

type Screens = Readonly<Record<string, ComponentType>>

const signedOutScreens: Screens = {
  'sign-in': SignInScreen,
  'sign-up': SignUpScreen,
  'reset-password': ResetPasswordScreen,
}
const signedInScreens: Screens = { profile: ProfileScreen, sessions: SessionsScreen, account: AccountScreen }

export function App() {
  const { texts } = useLanguage()
  const { state, user, nextForm, signOut } = useSession()
  const screen = useScreen()
  const menu: [Screen, string][] = [
    ['profile', texts.profile],
    ['sessions', texts.sessions],
    ['account', texts.account],
  ]
  function leave() {
    goTo('sign-in')
    // The tokens are removed even if the server cannot be reached.
    signOut().catch(() => {})
  }
  // The form stays open when its last step is saved, and the service no longer names it.
  const [form, setForm] = useState(nextForm)
  if (nextForm !== null && nextForm !== form) setForm(nextForm)
  // An expired session hides the screen, and the same user finds there what was not saved. Another user gets a new one.
  const [lastUser, setLastUser] = useState(user)
  if (user !== null && user !== lastUser) setLastUser(user)
  const isExpired = state.status === 'signedOut' && state.reason === 'expired'
  const shownUser = isExpired ? lastUser : user
  const current = menu.some(([to]) => to === screen) ? screen : 'profile'
  return (
    <>
      <header>
        <span className="brand">{texts.appName}</span>
        {user !== null && (
          <nav aria-label={texts.appName}>
            {menu.map(([to, label]) => (
              <Link key={to} to={to} current={to === current}>
                {label}
              </Link>
            ))}
          </nav>
        )}
        <div className="end">
          <LanguageSwitch />
          {user !== null && (
            <button type="button" className="quiet" onClick={leave}>
              {texts.signOut}
            </button>
          )}
        </div>
      </header>
      <main>
        {state.status === 'loading' && <p role="status">{texts.loading}</p>}
        {shownUser !== null && (
          <Activity key={shownUser.id} mode={isExpired ? 'hidden' : 'visible'}>
            {screen === 'onboarding' && form !== null ? (
              <OnboardingScreen form={form} />
            ) : (
              <>
                {nextForm !== null && (
                  <p className="notice">
                    <Link to="onboarding">{texts.completeProfile}</Link>
                  </p>
                )}
                <Show screen={screen} of={signedInScreens} otherwise={ProfileScreen} />
              </>
            )}
          </Activity>
        )}
        {state.status === 'signedOut' && <Show screen={screen} of={signedOutScreens} otherwise={SignInScreen} />}
      </main>
      <StepUpDialog />
    </>
  )
}

function Show({ screen, of, otherwise }: { screen: string | null; of: Screens; otherwise: ComponentType }) {
  const Chosen = (screen !== null && Object.hasOwn(of, screen) && of[screen]) || otherwise
  return <Chosen />
}
