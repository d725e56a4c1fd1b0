import { createStore } from '../api/store.ts'
import type { Language } from '../text/texts.ts'

export type Theme = 'system' | 'light' | 'dark'
type Settings = {
  theme: Theme
  language: Language
  /** Keys that do something without Ctrl: some people set them off by speaking or by accident. */
  singleKeys: boolean
  hidesFirstSteps: boolean
}

const key = 'parvis.settings'
const usual: Settings = { theme: 'system', language: 'fr', singleKeys: true, hidesFirstSteps: false }

/** How the application looks on this device. */
export const settings = createStore<Settings>({ ...usual, ...stored() })

export function changeSettings(changed: Partial<Settings>): void {
  const next = { ...settings.get(), ...changed }
  localStorage.setItem(key, JSON.stringify(next))
  settings.set(next)
  applyTheme()
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = settings.get().theme
}

// Another tab has changed them.
window.addEventListener('storage', (event) => {
  if (event.key !== key) return
  settings.set({ ...usual, ...stored() })
  applyTheme()
})

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}')
  } catch {
    return {}
  }
}
