import { type Insertable, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import { uuidv7 } from '../../../platform/uuid.ts'
import { nameMairie } from '../mairie-name.ts'
import { demoCollectes } from './collectes.ts'
import { type DemoCommune, demoCommunes } from './communes.ts'
import { demoElus } from './elus.ts'
import { demoInfos } from './infos.ts'
import { demoMairies } from './mairies.ts'

/** Lively content for some thirty communes. A commune that the register no longer has goes without. */
export async function insertDemoCommunes(db: Database): Promise<void> {
  const communes = await listDemoCommunes(db)
  const mairies = communes.flatMap(mairieRows)
  const elus = communes.flatMap(eluRows)
  const collectes = communes.flatMap(collecteRows)
  const infos = communes.flatMap(infoRows)
  if (mairies.length > 0) await db.insertInto('acteurs').values(mairies).execute()
  await updateCommunes(db, communes, mairies)
  if (elus.length > 0) await db.insertInto('elus').values(elus).execute()
  if (collectes.length > 0) await db.insertInto('collectes').values(collectes).execute()
  if (infos.length > 0) await db.insertInto('commune_infos').values(infos).execute()
}

type Found = { id: string; slug: string; nom: string; demo: DemoCommune }

async function listDemoCommunes(db: Database): Promise<Found[]> {
  const byCode = new Map(demoCommunes.map((demo) => [demo.code, demo]))
  const rows = await db
    .selectFrom('communes')
    .select(['id', 'slug', 'nom', 'code_insee'])
    .where('code_insee', 'in', [...byCode.keys()])
    .orderBy('code_insee')
    .execute()
  return rows.flatMap(({ code_insee, ...row }) => {
    const demo = byCode.get(code_insee)
    return demo === undefined ? [] : [{ ...row, demo }]
  })
}

type MairieRow = Insertable<tables.Acteurs>

function mairieRows({ id, slug, nom, demo }: Found): MairieRow[] {
  const contact = demoMairies.get(demo.code)
  if (contact === undefined) return []
  const right = { valide: true, active: true, can_publish: true }
  const named = { slug: `mairie-de-${slug}`, nom: nameMairie(nom), type: 'mairie' }
  return [{ id: uuidv7(), ...named, commune_id: id, ...contact, ...right }]
}

/** One statement for all; the mairies are there before, as the foreign key asks. */
async function updateCommunes(db: Database, communes: Found[], mairies: MairieRow[]): Promise<void> {
  const mairieOf = new Map(mairies.map((mairie) => [mairie.commune_id, mairie.id]))
  const rows = communes.map(({ id, demo: { at } }) => ({
    id,
    latitude: at[0],
    longitude: at[1],
    mairie_actor_id: mairieOf.get(id) ?? null,
  }))
  await sql`
    update communes
    set latitude = row.latitude, longitude = row.longitude, mairie_actor_id = row.mairie_actor_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row(id uuid, latitude float8, longitude float8, mairie_actor_id uuid)
    where communes.id = row.id`.execute(db)
}

function eluRows({ id, demo }: Found) {
  return demoElus(demo).map((elu) => ({ id: uuidv7(), commune_id: id, ...elu }))
}

function collecteRows({ id, demo }: Found) {
  return demoCollectes(demo).map((collecte, index) => ({
    id: uuidv7(),
    commune_id: id,
    position: index + 1,
    ...collecte,
    // The driver would write a JavaScript array as a PostgreSQL one.
    exceptions: JSON.stringify(collecte.exceptions),
  }))
}

function infoRows({ id, demo }: Found) {
  return demoInfos(demo.code).map((info) => ({ id: uuidv7(), commune_id: id, ...info }))
}
