import { useEffect, useState } from 'react'

const prefix = 'parvis.draft.'

/**
 * Text that somebody is typing, kept on the device until it is sent: it survives a reload, an expired session and a
 * failed request. Cleared at sign-out.
 */
export function useDraft(name: string): [text: string, change: (text: string) => void, clear: () => void] {
  const key = `${prefix}${name}`
  const [text, setText] = useState(() => localStorage.getItem(key) ?? '')
  useEffect(() => setText(localStorage.getItem(key) ?? ''), [key])
  const change = (next: string) => {
    setText(next)
    if (next === '') localStorage.removeItem(key)
    else localStorage.setItem(key, next)
  }
  return [text, change, () => change('')]
}

export function clearDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}
