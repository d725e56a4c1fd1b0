/** What takes the focus for a part that disappeared: containers, which no key presses by mistake. */
const places = 'li, ul, ol, form, fieldset, section, article, [role=tabpanel], [role=dialog], main'

/**
 * Keeps the focus in the page. When the focused element disappears, as a removed row or the opener of a closed dialog does,
 * browsers focus nothing: Escape and screen readers lose their place. Focuses the nearest part of the page that is left.
 */
export function keepFocus(): void {
  /** What was focused last with all that surrounds it, innermost first; and the same outside of dialogs. */
  let path: Element[] = []
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
    if (!isLost() || document.querySelector('[data-modal]') !== null) return
    const place = [...path, ...pathInPage].find((each) => each.isConnected && each.matches(places))
    if (place !== undefined) focus(place as HTMLElement)
  }
  new MutationObserver(() => {
    if (isPlanned || !isLost()) return
    isPlanned = true
    // After a closing dialog has given the focus back by itself.
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
