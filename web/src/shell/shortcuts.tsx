import { useEffect, useRef } from 'react'
import { createStore } from '../api/store.ts'
import { settings } from './settings.ts'

export type Shortcut = {
  /** As `event.key` has it: what is printed on the key of this keyboard. */
  key: string
  label: string
  run: () => void
  /** With Ctrl, or Command on a Mac. */
  withControl?: boolean
}
type Scope = { title: string; isDialog: boolean; shortcuts: readonly Shortcut[] }

const scopes = createStore<readonly Scope[]>([])

/** Shortcuts available at the moment, for the help. */
export const useAllShortcuts = () => scopes.use()

/** Keys of the part of the screen that calls it, as long as it is shown. Those of an open dialog go before all others. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[], { isDialog = false } = {}): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const names = shortcuts.map(({ key, label }) => `${key} ${label}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what they do is read when they are pressed
  useEffect(() => {
    const own = latest.current.map((shortcut, index) => ({
      ...shortcut,
      run: () => latest.current[index]?.run(),
    }))
    const scope = { title, isDialog, shortcuts: own }
    scopes.set([...scopes.get(), scope])
    return () => scopes.set(scopes.get().filter((other) => other !== scope))
  }, [title, names, isDialog])
}

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return
  const withControl = event.ctrlKey || event.metaKey
  if (!withControl && (!settings.get().singleKeys || isField(event.target))) return
  const isDialogOpen = document.querySelector('[data-modal]') !== null
  const open = scopes.get().filter(({ isDialog }) => isDialog === isDialogOpen)
  const pressed = open
    .toReversed()
    .flatMap(({ shortcuts }) => shortcuts)
    .find((shortcut) => shortcut.key === event.key && (shortcut.withControl ?? false) === withControl)
  if (pressed === undefined) return
  event.preventDefault()
  pressed.run()
})

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const isTyping = target.matches('input:not([type=checkbox], [type=radio]), textarea, select')
  // In menus letters look for an entry.
  return isTyping || target.isContentEditable || target.closest('[role=menu], [role=listbox]') !== null
}
