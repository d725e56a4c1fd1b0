import { useSyncExternalStore } from 'react'

const prefix = 'parvis.draft.'
const ownerKey = 'parvis.drafts-of'

/** Texts that the storage of the browser did not take because it is full: they last until a reload. */
const notStored = new Map<string, string>()
/** How often another tab has changed a draft. */
const changesElsewhere = new Map<string, number>()
const listeners = new Set<() => void>()

// All tabs show the same draft: two with a copy each would overwrite one another.
window.addEventListener('storage', ({ key, storageArea }) => {
  if (key === null || storageArea !== localStorage || !key.startsWith(prefix)) return
  notStored.delete(key)
  changesElsewhere.set(key, (changesElsewhere.get(key) ?? 0) + 1)
  for (const listener of listeners) listener()
})

/**
 * Keeps typed text on the device until it is sent: it survives a reload, an expired session and a failed
 * request. Cleared at sign-out. Tabs share it.
 */
export function useDraft(name: string): [text: string, change: (text: string) => void, clear: () => void] {
  const text = useSyncExternalStore(subscribe, () => readDraft(name))
  const change = (next: string) => writeDraft(name, next)
  return [text, change, () => change('')]
}

/**
 * Returns how often another tab has changed the draft since this page was loaded: a new number means that fields
 * which keep their own text, such as `RichEditor`, must be re-rendered.
 */
export function useChangesElsewhere(name: string): number {
  return useSyncExternalStore(subscribe, () => changesElsewhere.get(`${prefix}${name}`) ?? 0)
}

/** Reads a draft from outside its field. */
export function readDraft(name: string): string {
  const key = `${prefix}${name}`
  return notStored.get(key) ?? localStorage.getItem(key) ?? ''
}

/** Replaces a draft from outside its field. */
export function writeDraft(name: string, text: string): void {
  keep(`${prefix}${name}`, text)
  for (const listener of listeners) listener()
}

/** Parses a draft stored as JSON; null if there is none or it is invalid. */
export function parseDraft<Value>(text: string): Value | null {
  try {
    return text === '' ? null : (JSON.parse(text) as Value)
  } catch {
    return null
  }
}

export function clearDrafts(): void {
  notStored.clear()
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

/** Whether the user was the last to sign in, in any tab, and has not signed out. */
export const ownsDrafts = (userId: string): boolean => localStorage.getItem(ownerKey) === userId

function keep(key: string, text: string): void {
  if (text === '') {
    notStored.delete(key)
    localStorage.removeItem(key)
    return
  }
  try {
    localStorage.setItem(key, text)
    notStored.delete(key)
  } catch {
    notStored.set(key, text)
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
