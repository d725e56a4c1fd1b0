import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { queryClient } from '../api/queries.ts'
import { loadTexts } from '../text/provider.tsx'
import { settings } from './settings.ts'

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
 * needed, even if the service no longer is. `waits`: only once its screen calls `preload`, because most users
 * never open that screen. `inPage`: it is no dialog.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waits = false, inPage = false } = {},
) {
  const loadWhole = async () => {
    const [component] = await Promise.all([load(), loadTexts(settings.get().language)])
    return component
  }
  const preload = () => onceSettled(() => void loadWhole().catch(() => {}))
  if (!waits) preload()
  const Loaded = lazy(async () => ({ default: await loadWhole() }))
  function Later(props: Props) {
    // As an open dialog does, the placeholder of one disables the shortcuts of the screen.
    return (
      <Suspense fallback={inPage ? null : <span data-modal hidden />}>
        <Loaded {...props} />
      </Suspense>
    )
  }
  return Object.assign(Later, { preload })
}

/** Preloads the parts of a screen that `later` made, once it is drawn. */
export function usePreloaded(parts: readonly { preload: () => void }[]): void {
  useEffect(() => {
    for (const { preload } of parts) preload()
  }, [parts])
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
