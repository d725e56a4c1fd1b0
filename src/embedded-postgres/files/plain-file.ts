import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants
const longestBytes = 65_536

/** Reads the beginning of a short file; throws for anything else, such as a planted link or pipe. */
export function readPlainFile(file: string): string {
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`${file} is not a file`)
    const buffer = Buffer.alloc(longestBytes)
    return buffer.toString('utf8', 0, readSync(descriptor, buffer))
  } finally {
    closeSync(descriptor)
  }
}

/** Replaces the file atomically through a temporary one. */
export function replacePlainFile(file: string, text: string, mode: number): void {
  const fresh = `${file}.new`
  rmSync(fresh, { force: true })
  const descriptor = openSync(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(fresh, file)
  syncFolder(dirname(file))
}

/** Syncs a folder: a rename is durable only after that. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
