import type { Insertable } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

let counter = 0

/** Inserts a public device outside any known commune. */
export async function insertDefibrillateur(
  db: Database,
  values: Partial<Insertable<tables.Defibrillateurs>> = {},
) {
  const gid = `${++counter}`
  return db
    .insertInto('defibrillateurs')
    .values({
      id: uuidv7(),
      gid,
      nom: `Mairie ${gid}`,
      etat_fonctionnement: 'En fonctionnement',
      retenu: true,
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
