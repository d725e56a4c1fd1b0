import { useSyncExternalStore } from 'react'

const prefix = 'parvis.draft.'
const ownerKey = 'parvis.drafts-of'

/** Copy in memory, for browsers whose storage is full or disabled. */
const typed = new Map<string, string>()
const listeners = new Set<() => void>()

/**
 * Keeps typed text on the device until it is sent: it survives a reload, an expired session and a failed
 * request. Cleared at sign-out.
 */
export function useDraft(name: string): [text: string, change: (text: string) => void, clear: () => void] {
  const key = `${prefix}${name}`
  const text = useSyncExternalStore(subscribe, () => typed.get(key) ?? localStorage.getItem(key) ?? '')
  const change = (next: string) => writeDraft(name, next)
  return [text, change, () => change('')]
}

/** Replaces a draft from outside its field. */
export function writeDraft(name: string, text: string): void {
  keep(`${prefix}${name}`, text)
  for (const listener of listeners) listener()
}

export function clearDrafts(): void {
  typed.clear()
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  localStorage.removeItem(ownerKey)
  for (const listener of listeners) listener()
}

/** Clears the drafts of another user, whose session expired without a sign-out. */
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
    // The copy in memory lasts until the page is reloaded.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
