import { createStore } from './store.ts'

/**
 * unknown → in (GET /me answered) or out (401)
 * in → expired (a later 401): requests wait until the same person has signed in again → in
 * in, expired → out (signed out)
 */
export type Session = 'unknown' | 'in' | 'expired' | 'out'

export const session = createStore<Session>('unknown')

let waiting: PromiseWithResolvers<boolean> | null = null

/** Shows that the session has ended. Resolves to whether the request may be sent again. */
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
