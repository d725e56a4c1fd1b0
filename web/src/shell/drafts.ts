import { useSyncExternalStore } from 'react'

const prefix = 'parvis.draft.'
const ownerKey = 'parvis.drafts-of'

/** Also where the browser stores nothing: full, or forbidden to. */
const typed = new Map<string, string>()
const listeners = new Set<() => void>()

/**
 * Text that somebody is typing, kept on the device until it is sent: it survives a reload, an expired session and a
 * failed request. Cleared at sign-out.
 */
export function useDraft(name: string): [text: string, change: (text: string) => void, clear: () => void] {
  const key = `${prefix}${name}`
  const text = useSyncExternalStore(subscribe, () => typed.get(key) ?? localStorage.getItem(key) ?? '')
  const change = (next: string) => {
    keep(key, next)
    for (const listener of listeners) listener()
  }
  return [text, change, () => change('')]
}

export function clearDrafts(): void {
  typed.clear()
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  for (const listener of listeners) listener()
}

/** Clears what somebody else has left: their session has expired, and another person has signed in. */
export function ownDrafts(userId: string): void {
  if (localStorage.getItem(ownerKey) === userId) return
  clearDrafts()
  localStorage.setItem(ownerKey, userId)
}

function keep(key: string, text: string): void {
  if (text === '') {
    typed.delete(key)
    localStorage.removeItem(key)
    return
  }
  typed.set(key, text)
  try {
    localStorage.setItem(key, text)
  } catch {
    // It survives no reload, and is not lost before.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
