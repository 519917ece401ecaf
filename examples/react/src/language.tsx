import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { type Language, languages, type Texts } from './texts.ts'

interface ChosenLanguage {
  readonly language: Language
  readonly texts: Texts
  choose(language: Language): void
}

const LanguageContext = createContext<ChosenLanguage | null>(null)

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, choose] = useState<Language>(preferredLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return <LanguageContext value={{ language, texts: languages[language].texts, choose }}>{children}</LanguageContext>
}

export function useLanguage(): ChosenLanguage {
  const chosen = useContext(LanguageContext)
  if (chosen === null) throw new Error('useLanguage must be used inside LanguageProvider')
  return chosen
}

export function LanguageSwitch() {
  const { language, texts, choose } = useLanguage()
  return (
    <select aria-label={texts.language} value={language} onChange={({ target }) => choose(target.value as Language)}>
      {Object.entries(languages).map(([code, { name }]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}

function preferredLanguage(): Language {
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2))
  return preferred.find((tag): tag is Language => tag in languages) ?? 'en'
}
