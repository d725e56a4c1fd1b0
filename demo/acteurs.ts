import type { Insertable } from 'kysely'
import { insertActeur, updateActeur } from '../src/modules/acteurs/queries.ts'
import type { Database } from '../src/platform/database/connect.ts'
import type * as tables from '../src/platform/database/types.generated.ts'
import { uuidv7At } from '../src/platform/formats/uuid.ts'
import { mapCommuneIds, readData } from './data.ts'
import { insertDemoPicture } from './pictures.ts'
import { type Moment, moments } from './times.ts'

export type DemoActeur = Omit<Insertable<tables.Acteurs>, 'id' | 'created_at' | 'deleted_at' | 'logo'> & {
  /** The name of a drawing. */
  logo?: string
  /** INSEE code of the commune. */
  commune: string
  times: { created_at: Moment; deleted_at?: Moment }
}

/** Inserts the acteurs whose commune exists. Mairies come with the communes. */
export async function insertDemoActeurs(db: Database, now: Date): Promise<void> {
  const acteurs = await readData<DemoActeur[]>('content/acteurs.json')
  const communes = await mapCommuneIds(
    db,
    acteurs.map(({ commune }) => commune),
  )
  for (const { commune, times, logo: name, ...acteur } of acteurs) {
    const commune_id = communes.get(commune)
    if (commune_id === undefined) continue
    const at = moments(times, now)
    const id = uuidv7At(at.created_at.getTime())
    await insertActeur(db, { id, ...acteur, commune_id, ...at, updated_at: at.created_at })
    if (name === undefined) continue
    const logo = await insertDemoPicture(db, { name, acteur_id: id, created_at: at.created_at })
    await updateActeur(db, id, { logo, updated_at: at.created_at })
  }
}
