/** Containers that can get the focus of an element that disappeared: a key pressed there by mistake does nothing. */
const places =
  'li, ul, ol, form, fieldset, section, article, [role=tabpanel], [role=dialog], [role=alertdialog], main'

/**
 * Keeps the focus in the page. When the focused element disappears, as a removed row or the opener of a closed dialog does,
 * browsers focus nothing: Escape and screen readers lose their place. Focuses the nearest container that is left; while a
 * dialog is open, one within it.
 */
export function keepFocus(): void {
  /** The element that was focused last, followed by its ancestors. */
  let path: Element[] = []
  /** The same of the element that was focused last outside of dialogs. */
  let pathInPage: Element[] = []
  let isPlanned = false
  document.addEventListener('focusin', ({ target }) => {
    path = pathOf(target as Element)
    if (!path.some((each) => each.matches('[data-modal]'))) pathInPage = path
  })
  const isLost = () =>
    document.activeElement === document.body && path[0] !== undefined && !path[0].isConnected
  const recover = () => {
    isPlanned = false
    if (!isLost()) return
    const dialog = [...document.querySelectorAll('[data-modal]')].at(-1)
    const place = [...path, ...pathInPage, ...(dialog?.querySelectorAll('[role]') ?? [])].find(
      (each) => (dialog ?? document).contains(each) && each.matches(places),
    )
    if (place !== undefined) focus(place as HTMLElement)
  }
  new MutationObserver(() => {
    if (isPlanned || !isLost()) return
    // React Aria would focus the first button of the dialog in the next frame.
    if (path.some((each) => each.isConnected && each.matches('[data-modal]'))) return recover()
    isPlanned = true
    // A closing dialog gives the focus back to its opener first.
    requestAnimationFrame(() => requestAnimationFrame(recover))
  }).observe(document.body, { childList: true, subtree: true })
}

function pathOf(element: Element | null): Element[] {
  return element === null ? [] : [element, ...pathOf(element.parentElement)]
}

/** Focuses a container that the Tab key does not stop at. */
function focus(place: HTMLElement): void {
  if (!place.hasAttribute('tabindex')) {
    place.tabIndex = -1
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  }
  place.focus({ preventScroll: true })
}
