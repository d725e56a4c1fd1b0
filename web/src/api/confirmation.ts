import { createStore } from './store.ts'

/**
 * none → asked (a request was refused until its sender confirms who they are: it waits) → none, confirmed or given up
 */
export const confirmation = createStore<'none' | 'asked'>('none')

let waiting: PromiseWithResolvers<boolean> | null = null

/** Asks for a fresh confirmation. Resolves to whether the request may be sent again. */
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
