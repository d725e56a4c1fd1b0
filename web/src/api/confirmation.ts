import { createStore } from './store.ts'

/**
 * none → asked (a request got a 403 and waits until the user confirms their identity)
 * asked → none (confirmed or cancelled)
 */
export const confirmation = createStore<'none' | 'asked'>('none')

let waiting: PromiseWithResolvers<boolean> | null = null

/** Asks for a fresh confirmation. Resolves to whether to retry the request. */
export function untilConfirmed(): Promise<boolean> {
  confirmation.set('asked')
  waiting ??= Promise.withResolvers()
  return waiting.promise
}

export function endConfirmation(maySendAgain: boolean): void {
  confirmation.set('none')
  waiting?.resolve(maySendAgain)
  waiting = null
}
