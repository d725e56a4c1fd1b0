import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { ClusterError } from '../cluster-error.ts'
import { syncFolder } from './sync-folder.ts'

/** The secret of that name, made at first use. Only the holder of the data folder's lock may call it. */
export function ensureSecret(dataDir: string, name: string): string {
  const secrets = readSecrets(dataDir)
  const known = secrets[name]
  if (known) return known
  const made = randomBytes(32).toString('base64url')
  writeSecrets(dataDir, { ...secrets, [name]: made })
  return made
}

/** For those who only read: the secret, or null when it has not been made yet. */
export function readSecret(dataDir: string, name: string): string | null {
  return readSecrets(dataDir)[name] ?? null
}

function readSecrets(dataDir: string): Record<string, string> {
  const file = join(dataDir, 'secrets.json')
  try {
    const secrets: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isSecrets(secrets)) return secrets
  } catch (error) {
    if (isAbsent(error)) return {}
  }
  throw new ClusterError(
    `The secrets in ${file} cannot be read: start as the user it belongs to, restore it, or remove it to have new ones made.`,
  )
}

/** Through a second file, so that a crash leaves the old secrets or the new ones, never half of them. */
function writeSecrets(dataDir: string, secrets: Record<string, string>): void {
  const file = join(dataDir, 'secrets.json')
  const fresh = `${file}.new`
  const descriptor = openSync(fresh, 'w', 0o600)
  writeSync(descriptor, `${JSON.stringify(secrets, null, 2)}\n`)
  fsyncSync(descriptor)
  closeSync(descriptor)
  keepOwner(file, fresh)
  renameSync(fresh, file)
  syncFolder(dataDir)
}

/** Root, passing by once, does not lock the usual user out. */
function keepOwner(file: string, fresh: string): void {
  const before = statSync(file, { throwIfNoEntry: false })
  if (before && process.getuid?.() === 0) chownSync(fresh, before.uid, before.gid)
}

function isSecrets(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'string')
  )
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
