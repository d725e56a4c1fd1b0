import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import type { Paging } from '../../platform/http/paging.ts'

export type AlerteRow = Selectable<tables.Alertes>
/** Whose alerts: a commune's, or a mairie's. */
export type Owner = { commune_id: string } | { acteur_id: string }

export async function listAlertes(db: Database, owner: Owner, { limit, offset }: Paging) {
  const alertes = of(db, owner)
  const [rows, { total }] = await Promise.all([
    alertes
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
    alertes.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}

export async function insertAlerte(db: Database, values: Insertable<tables.Alertes>): Promise<AlerteRow> {
  return db.insertInto('alertes').values(values).returningAll().executeTakeFirstOrThrow()
}

function of(db: Database, owner: Owner) {
  const alertes = db.selectFrom('alertes')
  return 'commune_id' in owner
    ? alertes.where('commune_id', '=', owner.commune_id)
    : alertes.where('acteur_id', '=', owner.acteur_id)
}
