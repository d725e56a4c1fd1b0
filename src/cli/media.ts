import { modules } from '../app.ts'
import { mediaSettings } from '../modules/media/settings.ts'
import { deleteReleased, moveToDatabase, moveToStore } from '../modules/media/store/moving.ts'
import { type ObjectStore, StoreFailed, storeOf } from '../modules/media/store/object-store.ts'
import { countPlaces } from '../modules/media/store/queries.ts'
import { readConfig, settingsOf } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import type { Database } from '../platform/database/connect.ts'
import { command, type Io, ioOfProcess, longLimits, text, withDatabase } from './command.ts'

type MediaIo = Io & { signal?: AbortSignal }

/** `media move --to s3 | database`: moves the bytes of pictures and documents. */
export const run = command(
  {
    name: 'media',
    usage: `Usage: npm run media -- move --to s3 | database
  moves the bytes of pictures and documents into the store of MEDIA_URL, or back into the database, beside the running
  service or without it; each is read back before it is deleted where it was. May be interrupted and run again.
  Before --to database, start the service with MEDIA_STORE=database, or it moves them into the store again
`,
    options: { to: text },
    allowPositionals: true,
  },
  async ({ values: { to }, positionals: [what, ...more] }, io: MediaIo) => {
    if (what !== 'move' || more.length > 0 || (to !== 's3' && to !== 'database'))
      throw new StartError('Say what to move: move --to s3, or move --to database.')
    const config = readConfig(modules, io.env, { needsTokens: false })
    const store = storeOf(config)
    if (store === null) throw new StartError('Set MEDIA_URL, as for the service.')
    const { isMovedToStore } = settingsOf(config, mediaSettings)
    if (isMovedToStore !== (to === 's3'))
      throw new StartError(`Set MEDIA_STORE=${to}, as for the service, which would move them back.`)
    return withDatabase(io, config, ({ db }) => move(db, store, to, io), { limits: longLimits })
  },
  () => {
    const stopping = new AbortController()
    return { ...ioOfProcess(() => stopping.abort()), signal: stopping.signal }
  },
)

async function move(db: Database, store: ObjectStore, to: 's3' | 'database', io: MediaIo): Promise<number> {
  const { signal = new AbortController().signal } = io
  let problems: string[] = []
  let code = 0
  try {
    if (to === 's3') await moveToStore(db, store, signal)
    else problems = (await moveToDatabase(db, store, signal)).problems
    await deleteReleased(db, store, signal)
  } catch (error) {
    if (!signal.aborted && !(error instanceof StoreFailed)) throw error
    problems = [signal.aborted ? 'Interrupted.' : (error as Error).message]
  }
  for (const problem of problems) {
    io.stderr.write(`${problem}\n`)
    code = 1
  }
  const { database, s3 } = await countPlaces(db)
  await io.stdout.write(`In the database: ${database} files. In the store: ${s3}.\n`)
  return code
}
