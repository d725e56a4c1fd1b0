import { join } from 'node:path'
import type { ArchivedRows } from '../seals/verify.ts'
import { digestOf, readArchive, type SealedRows } from './file.ts'
import type { Archive } from './queries.ts'

/** Reads archives beside the verification of the log: one seal at a time. */
export function archivedRows(folder: string, archives: Archive[]): ArchivedRows {
  let open: { name: string; seals: AsyncGenerator<SealedRows> | null; current: SealedRows | null } | null =
    null

  async function start({ name, sha256 }: Archive): Promise<string | null> {
    const file = join(folder, name)
    open = { name, seals: null, current: null }
    const digest = await digestOf(file).catch(() => null)
    if (digest === null) return `archive ${name}: missing, or cannot be read`
    if (!digest.equals(sha256)) return `archive ${name}: edited`
    open.seals = readArchive(file)
    return null
  }
  async function rowsOf(seal: number): Promise<SealedRows['rows']> {
    while (open?.seals && (open.current === null || open.current.seal < seal)) {
      const next = await open.seals.next()
      if (next.done) return []
      open.current = next.value
    }
    return open?.current?.seal === seal ? open.current.rows : []
  }
  return {
    async of({ number }) {
      const archive = archives.find(
        ({ first_seal, last_seal }) => number >= first_seal && number <= last_seal,
      )
      if (archive === undefined) return null
      if (open?.name !== archive.name) {
        const fault = await start(archive)
        if (fault !== null) return { fault }
      }
      // Its digest is that of the file that was written, so reading it cannot fail.
      return open?.seals ? rowsOf(number) : { fault: null }
    },
  }
}
