import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ClusterError } from '../cluster-error.ts'
import { readPlainFile, replacePlainFile } from './plain-file.ts'

/** Returns the named secret and creates it at first use. Only for the holder of the folder's lock. */
export function ensureSecret(dataDir: string, name: string): string {
  const secrets = readSecrets(dataDir)
  const known = secrets[name]
  if (known) return known
  const made = randomBytes(32).toString('base64url')
  storeSecrets(dataDir, { [name]: made })
  return made
}

/** Adds or replaces secrets. Only for the holder of the folder's lock. */
export function storeSecrets(dataDir: string, secrets: Record<string, string>): void {
  const text = `${JSON.stringify({ ...readSecrets(dataDir), ...secrets }, null, 2)}\n`
  replacePlainFile(secretsFile(dataDir), text, 0o600)
}

/** Reads a secret; null when it does not exist yet. */
export function readSecret(dataDir: string, name: string): string | null {
  return readSecrets(dataDir)[name] ?? null
}

const secretsFile = (dataDir: string) => join(dataDir, 'secrets.json')

export function readSecrets(dataDir: string): Record<string, string> {
  const file = secretsFile(dataDir)
  try {
    const secrets: unknown = JSON.parse(readPlainFile(file))
    if (isSecrets(secrets)) return secrets
  } catch (error) {
    if (isAbsent(error)) return {}
  }
  throw new ClusterError(
    `The secrets in ${file} cannot be read: start as the user it belongs to, restore it, or remove it to have new ones made.`,
  )
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
