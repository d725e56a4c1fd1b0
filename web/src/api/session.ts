import { createStore } from './store.ts'

/**
 * unknown → in (GET /me succeeded) or out (401)
 * in → expired (a later 401): requests wait until the same user has signed in again → in
 * in, expired → out (signed out)
 */
export type Session = 'unknown' | 'in' | 'expired' | 'out'

export const session = createStore<Session>('unknown')

/**
 * Id of the user on screen; null before sign-in. Requests name it, and the service refuses them once another user has
 * signed in in another tab.
 */
export const shownUser = createStore<string | null>(null)

let waiting: PromiseWithResolvers<boolean> | null = null

/** Marks the session as expired, which opens the sign-in dialog. Resolves to whether to retry the request. */
export function untilSignedInAgain(): Promise<boolean> {
  session.set('expired')
  waiting ??= Promise.withResolvers()
  return waiting.promise
}

export function resume(): void {
  session.set('in')
  waiting?.resolve(true)
  waiting = null
}

export function endSession(): void {
  session.set('out')
  waiting?.resolve(false)
  waiting = null
}
