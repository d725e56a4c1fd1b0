import { sql } from 'kysely'
import { insertSource, type SourceRow } from '../src/modules/imports/queries.ts'
import { readItems } from '../src/modules/imports/readers/read.ts'
import { readDemo } from '../src/modules/imports/run/download.ts'
import { importItems } from '../src/modules/imports/run/import-items.ts'
import { endRun, insertLine, insertRun, type RunUnderWay } from '../src/modules/imports/run/queries.ts'
import type { Mapping } from '../src/modules/imports/schema.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { uuidv7At } from '../src/platform/formats/uuid.ts'
import { mapCommuneIds, mapIds, readData } from './data.ts'
import { type Moment, moment } from './times.ts'

type DemoSource = Pick<SourceRow, 'nom' | 'type' | 'url' | 'moderation_status' | 'actif'> & {
  /** Slug of the acteur. */
  acteur: string
  /** INSEE code of the commune. */
  commune: string
  /** Slug of the type. */
  publication_type: string
  mapping?: Mapping
  /** Times of its runs, oldest first. */
  runs: Moment[]
  /** A later failed run. */
  failed?: { time: Moment; error: string }
}

/** Inserts a source of each type with local files, imported like any other. */
export async function insertDemoImports(db: Database, now: Date): Promise<void> {
  const sources = await readData<DemoSource[]>('content/imports.json')
  const codes = sources.map(({ commune }) => commune)
  const communes = await mapCommuneIds(db, codes)
  const acteurs = await mapIds(db, 'acteurs', 'slug')
  const types = await mapIds(db, 'publication_types', 'slug')
  for (const { acteur, commune, publication_type, runs, failed, mapping = null, ...given } of sources) {
    const commune_id = communes.get(commune)
    const acteur_id = acteurs.get(acteur)
    if (commune_id === undefined || acteur_id === undefined) continue
    const begun = moment({ days: -30 }, now)
    const id = uuidv7At(begun.getTime())
    const type_id = types.get(publication_type) ?? null
    const times = { created_at: begun, updated_at: begun }
    const source = await insertSource(db, { id, ...given, ...times, acteur_id, commune_id, type_id, mapping })
    for (const time of runs) await importAt(db, source, moment(time, now))
    if (failed !== undefined) await failAt(db, source, moment(failed.time, now), failed.error)
  }
}

async function importAt(db: Database, source: SourceRow, time: Date): Promise<void> {
  const run = await beginAt(db, source, time)
  const { parts, url } = await readDemo(source.url, true)
  const { type, mapping } = source
  const batches = readItems({ type, mapping, url, parts, now: time })
  await importItems(db, { source, run, batches, isAudited: false })
  await endAt(db, run, time, null)
  await sql`
    update publications p set created_at = ${time}, updated_at = ${time} from import_items i
    where i.publication_id = p.id and i.run_id = ${run.id}`.execute(db)
}

async function failAt(db: Database, source: SourceRow, time: Date, error: string): Promise<void> {
  const run = await beginAt(db, source, time)
  await insertLine(db, run, error)
  await endAt(db, run, time, error)
  await db.updateTable('import_sources').set({ failures: 1 }).where('id', '=', source.id).execute()
}

const beginAt = (db: Database, { id }: SourceRow, time: Date): Promise<RunUnderWay> =>
  insertRun(db, {
    id: uuidv7At(time.getTime()),
    source_id: id,
    dry_run: false,
    status: 'running',
    started_at: time,
  })

/** Ends a run a few seconds after its start, with matching log lines. */
async function endAt(db: Database, run: RunUnderWay, time: Date, error: string | null): Promise<void> {
  await endRun(db, run, { error })
  const end = new Date(time.getTime() + 3_000)
  await db.updateTable('import_runs').set({ finished_at: end }).where('id', '=', run.id).execute()
  await sql`
    update import_log set lines = (
      select jsonb_agg(line || jsonb_build_object('at', ${end.toISOString()}::text) order by place)
      from jsonb_array_elements(lines) with ordinality as l (line, place))
    where run_id = ${run.id}`.execute(db)
}
