import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs'

/** For the server to write to. Kept bounded: a new one from 5 MB on, one old one beside it. */
export function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 5_000_000) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

/** Its last lines, in one. */
export function readEnd(file: string): string {
  const descriptor = openSync(file, 'r')
  const buffer = Buffer.alloc(600)
  const start = Math.max(0, fstatSync(descriptor).size - buffer.length)
  const length = readSync(descriptor, buffer, 0, buffer.length, start)
  closeSync(descriptor)
  return buffer.toString('utf8', 0, length).trim().split('\n').slice(-4).join(' | ')
}
