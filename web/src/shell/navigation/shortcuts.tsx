import { useLayoutEffect, useRef } from 'react'
import { createStore } from '../../api/store.ts'
import { settings } from '../settings.ts'

export type Shortcut = {
  /** Value of `event.key`, which depends on the keyboard layout. */
  key: string
  label: string
  run: () => void
  /** Requires Ctrl, or Command on a Mac. */
  withControl?: boolean
  /** Runs again while the key is held, for moving through a list. A held key must not decide several times. */
  repeats?: boolean
}
type Scope = { title: string; isDialog: boolean; shortcuts: readonly Shortcut[] }

const scopes = createStore<readonly Scope[]>([])

/** Returns the active shortcuts, for the help. */
export const useAllShortcuts = () => scopes.use()

/**
 * Registers shortcuts while the component is on the screen, from its first moment: a key pressed at once is not lost.
 * An open dialog disables those outside it.
 */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[], { isDialog = false } = {}): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const names = shortcuts.map(({ key, label }) => `${key} ${label}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what they do is read when they are pressed
  useLayoutEffect(() => {
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
  if (!event.repeat || pressed.repeats) pressed.run()
})

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const isTyping = target.matches('input:not([type=checkbox], [type=radio]), textarea, select')
  // In menus, letters search for an entry.
  return isTyping || target.isContentEditable || target.closest('[role=menu], [role=listbox]') !== null
}
