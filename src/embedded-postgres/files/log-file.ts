import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, renameSync } from 'node:fs'

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants

/** Opens the server's log, rotated at 5 MB with one old file. */
export function openLog(file: string): number {
  if ((lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > 5_000_000) renameSync(file, `${file}.1`)
  return openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
}

/** Returns the log's last lines, joined into one. */
export function readEnd(file: string): string {
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW)
  const buffer = Buffer.alloc(600)
  const start = Math.max(0, fstatSync(descriptor).size - buffer.length)
  const length = readSync(descriptor, buffer, 0, buffer.length, start)
  closeSync(descriptor)
  return buffer.toString('utf8', 0, length).trim().split('\n').slice(-4).join(' | ')
}
