import { closeSync, fsyncSync, openSync } from 'node:fs'

/** A rename is only on the disk once its folder is. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
