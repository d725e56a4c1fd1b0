import { always, leftOf } from '../../../platform/access/rules.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { todayInParis } from '../../../platform/time/paris-time.ts'
import { presentManagedAt } from '../../defibrillateurs/present.ts'
import { listOfCommune } from '../../defibrillateurs/queries.ts'
import { privateAddress } from '../../media/images.ts'
import { withNextDates } from '../calendar.ts'
import { gapsOf } from '../gaps.ts'
import { mergeInfos } from '../infos.ts'
import { findMairieContact, findPictures, listManagedElus } from '../queries.ts'
import { countOfCommune, findMairie, getCommune } from './queries.ts'
import { type CommuneFull, type CommuneOfMairie, communeActions } from './schema.ts'
import { getLists } from './sub-lists.ts'

/** Reads one snapshot: if sub-lists were older than the version, If-Match would allow lost updates. */
export function readInOneMoment<T>(reads: Database, read: (tx: Database) => Promise<T>): Promise<T> {
  return reads
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => read(tx))
}

/** Reads a commune as its mairie sees it, in several statements; the caller's transaction makes them consistent. */
export async function readForMairie(
  tx: Database,
  id: string,
  { now, mayEdit }: { now: Date; mayEdit: (mairieId: string | null, isActive: boolean) => boolean },
): Promise<CommuneOfMairie> {
  const commune = await getCommune(tx, id)
  const { collectes, infos } = await getLists(tx, id)
  const elus = await listManagedElus(tx, id)
  const today = todayInParis(now)
  const contact = await findMairieContact(tx, id)
  const mairie = await findMairie(tx, id)
  const pictures = await findPictures(tx, id, privateAddress)
  const merged = mergeInfos(contact, infos)
  return {
    ...commune,
    ...pictures,
    can: mayEdit(commune.mairie_actor_id, mairie?.active ?? true) ? ['edit'] : [],
    mairie,
    infos: merged,
    commune_infos: infos,
    elus,
    collectes: collectes.map((collecte) => withNextDates(collecte, today, commune.departement)),
    gaps: gapsOf({ elus, collectes, infos: merged, hasMairie: contact !== null }),
  }
}

/** Reads the complete commune, as administrators see it. */
export async function readFull(
  tx: Database,
  id: string,
  { now, claimTtlDays }: { now: Date; claimTtlDays: number },
): Promise<CommuneFull> {
  const commune = await readForMairie(tx, id, { now, mayEdit: always })
  const defibrillateurs = (await listOfCommune(tx, id)).map(presentManagedAt(now))
  const counts = await countOfCommune(tx, id, claimTtlDays)
  return {
    ...commune,
    can: leftOf(communeActions, commune),
    defibrillateurs,
    counts: { ...counts, defibrillateurs: defibrillateurs.length },
  }
}
