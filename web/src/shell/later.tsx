import { type ComponentType, lazy, Suspense, useState } from 'react'
import { queryClient } from '../api/queries.ts'

const settleMs = 3_000

/** Waits until the first screen has loaded its data and is drawn. */
function onceSettled(run: () => void): void {
  setTimeout(() => {
    if (queryClient.isFetching() > 0) onceSettled(run)
    // Safari does not have it.
    else if ('requestIdleCallback' in window) requestIdleCallback(run)
    else run()
  }, settleMs)
}

/**
 * Component that the first view does not need. It loads soon afterwards, so that it is there when it is
 * needed, even if the service no longer is.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  onceSettled(() => void load().catch(() => {}))
  // A failed load is tried again by the next use.
  const begin = () =>
    lazy(() =>
      load().then(
        (component) => ({ default: component }),
        (error) => {
          Loaded = begin()
          throw error
        },
      ),
    )
  let Loaded = begin()
  return function Later(props: Props) {
    const [Component] = useState(() => Loaded)
    // As an open dialog does, the placeholder disables the shortcuts of the screen.
    return (
      <Suspense fallback={<span data-modal hidden />}>
        <Component {...props} />
      </Suspense>
    )
  }
}

/** Runs it once the browser has drawn the current change. Returns a function that cancels it. */
export function afterDrawing(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
