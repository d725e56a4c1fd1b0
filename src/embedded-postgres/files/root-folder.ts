import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { ClusterError } from '../cluster-error.ts'

/** Creates the folder if needed and refuses one in which others could put programs or data. */
export function ensureRootFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true })) chmodSync(folder, 0o755)
  const { uid, mode } = statSync(folder)
  if (uid === 0 && (mode & 0o022) === 0) return
  throw new ClusterError(
    `${folder} must belong to root and be writable by root alone: run chown root, chmod 755.`,
  )
}
