const key = 'parvis.return-path'
/** As long as the link of a sign-in mail is valid. */
const keptMs = 15 * 60_000

/**
 * Keeps where a sign-in leads to: the link of its mail opens another tab, whose address does not say it.
 */
export function keepReturnPath(path: string): void {
  try {
    localStorage.setItem(key, JSON.stringify({ path, at: Date.now() }))
  } catch {
    // Full: the link then leads to the start.
  }
}

/** Returns the path that was kept last; null if there is none, or if it is too old. */
export function keptReturnPath(): string | null {
  try {
    const { path, at } = JSON.parse(localStorage.getItem(key) ?? '{}') as { path?: unknown; at?: number }
    return isInside(path) && Date.now() - (at ?? 0) < keptMs ? path : null
  } catch {
    return null
  }
}

export const forgetReturnPath = (): void => localStorage.removeItem(key)

/** Whether a path leads to a screen of the application. */
export const isInside = (path: unknown): path is string =>
  typeof path === 'string' && path.startsWith('/') && !path.startsWith('//')
