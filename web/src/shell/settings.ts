import { createStore } from '../api/store.ts'
import type { Language } from '../text/texts.ts'

export type Theme = 'system' | 'light' | 'dark'
type Settings = {
  theme: Theme
  language: Language
  /** Enables shortcuts without Ctrl. Some users turn them off: speech input or accidents trigger them. */
  singleKeys: boolean
  hidesFirstSteps: boolean
  /** Whether a user without a name is asked for it. */
  asksName: boolean
  /** The order of the queue that the user chose; a saved view may have another. */
  oldestFirst: boolean
}

const key = 'parvis.settings'
const usual: Settings = {
  theme: 'system',
  language: 'fr',
  singleKeys: true,
  hidesFirstSteps: false,
  asksName: true,
  oldestFirst: false,
}

/** Settings of the application on this device. */
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

// Follows changes from other tabs.
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
