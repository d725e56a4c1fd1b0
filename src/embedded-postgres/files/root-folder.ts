import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { ClusterError } from '../cluster-error.ts'

/** Made at need, and refused when someone else could put programs or data there. */
export function ensureRootFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true })) chmodSync(folder, 0o755)
  const { uid, mode } = statSync(folder)
  if (uid === 0 && (mode & 0o022) === 0) return
  throw new ClusterError(
    `${folder} must belong to root and be writable by root alone: run chown root, chmod 755.`,
  )
}
