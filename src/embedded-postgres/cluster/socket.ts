import { openSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ClusterError } from '../cluster-error.ts'

const longestPath = process.platform === 'linux' ? 107 : 103

/** Returns the `host` for pg: an absolute path, short enough for a socket. Linux offers a short alias. */
export function socketHost(folder: string, dataDir: string, setting: string): string {
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= longestPath) return folder
  const short = shortNames.get(folder)
  if (short && leadsTo(short, folder)) return short
  return nameByDescriptor(folder) ?? refuseLength(dataDir, setting)
}

const shortNames = new Map<string, string>()

/** Returns an alias through an open descriptor of this process, for the life of the process. */
function nameByDescriptor(folder: string): string | null {
  if (process.platform !== 'linux') return null
  const name = `/proc/${process.pid}/fd/${openSync(folder, 'r')}`
  if (!leadsTo(name, folder)) return null
  shortNames.set(folder, name)
  return name
}

function leadsTo(name: string, folder: string): boolean {
  try {
    return readlinkSync(name) === folder
  } catch {
    return false
  }
}

function refuseLength(dataDir: string, setting: string): never {
  throw new ClusterError(
    `The path of ${dataDir} is too long for a database socket: set a shorter ${setting}.`,
  )
}
