import type { Database } from '../platform/database/connect.ts'
import type { OnOwnConnection } from '../platform/database/connections/own-connection.ts'
import type { Run } from './run.ts'

type Tools = { onOwnConnection: OnOwnConnection; acceptFall: boolean }

/** A public file that fills facts of communes. One declaration each: commands, schedule, provenance and pages follow from it. */
export type PublicSource = {
  /** Names it in commands, settings and `sourced_facts`. */
  name: string
  /** As residents read it. */
  label: string
  /** Says what the command expects, in a few words. */
  usage: string
  licence: string
  /** Where a mistake in it is corrected. */
  correctedAt: string
  /** Where its newest file is; null: there are many, or the package has it. */
  address: string | null
  /** Comes with a package, so that the command needs no file. */
  isPackaged?: true
  /** `--accept-fall` accepts a file that it refuses otherwise. */
  refusesFalls?: true
  /** Waits for other loads of the same rows. */
  isLong?: true
  /** Reads a file whole or not at all; `input` is null for what a package has. */
  load: (db: Database, input: AsyncIterable<Uint8Array> | null, run: Run, tools: Tools) => Promise<void>
}

type Load = PublicSource['load']
type LoadFile = (db: Database, input: AsyncIterable<Uint8Array>, run: Run, tools: Tools) => Promise<void>

/** Imports the loader when it is used first: the service has all declarations, and reads few files. */
export const later =
  (imported: () => Promise<Load>): Load =>
  async (...given) =>
    (await imported())(...given)

/** The same for a source that always has a file. */
export const ofFile = (imported: () => Promise<LoadFile>): Load =>
  later(async () => {
    const load = await imported()
    return (db, input, run, tools) => {
      if (input === null) throw new RangeError('a source without its file')
      return load(db, input, run, tools)
    }
  })
