import type { Database } from '../../platform/database/connect.ts'
import { csvWriter } from '../../platform/http/listing/csv.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { adminPerPage } from '../../platform/http/listing/paging.ts'
import { nextRounds } from '../communes/calendar.ts'
import type { CollecteRow } from '../communes/schema.ts'
import { listCollectesOf, listMembers, type MemberRow, membersList } from './queries.ts'
import { exceptionInWords, rhythmInWords } from './reading/cells.ts'
import { type ColumnName, columnNames } from './reading/row.ts'
import { batchSize } from './replacing.ts'
import type { MemberCollectes } from './schema.ts'

type Of = { acteurId: string; communeIds: readonly string[] | null }

/** Returns a page of the members of an acteur's groups, with the state of their collections. */
export const listMemberCollectes = (
  lists: Database,
  { acteurId, communeIds }: Of,
  query: { page?: number; per_page?: number },
  today: string,
) =>
  numberedPage(
    lists,
    membersList(acteurId, communeIds),
    query,
    adminPerPage,
    ({ rows, departement: _, ...member }: MemberRow): MemberCollectes => ({
      ...member,
      prochaine:
        rows
          .flatMap((row) => nextRounds(row, today, 1))
          .map(({ date }) => date)
          .sort()[0] ?? null,
    }),
  )

/** Yields the collections of all members as a table that can be filled in and sent back; one without any has an empty row. */
export async function* tableOfMembers(reads: Database, { acteurId, communeIds }: Of): AsyncGenerator<string> {
  const members = await listMembers(reads, acteurId, communeIds)
  const columns = columnNames.map((name) => ({
    name,
    read: (row: unknown) => (row as Record<ColumnName, string>)[name],
  }))
  const { head, rows } = csvWriter(columns, 'fr')
  yield head
  for (let at = 0; at < members.length; at += batchSize) {
    const batch = members.slice(at, at + batchSize)
    const collectes = await listCollectesOf(
      reads,
      batch.map(({ id }) => id),
    )
    const cells = batch.flatMap(({ id, nom, code_insee }) => {
      const own = collectes.get(id) ?? []
      return own.length === 0
        ? [{ code_insee, commune: nom }]
        : own.map((row) => ({ code_insee, commune: nom, ...cellsOf(row) }))
    })
    yield rows(cells)
  }
}

/** Returns the cells of a collection as `readTable` reads them. */
const cellsOf = (row: CollecteRow): Partial<Record<ColumnName, string>> => ({
  secteur: row.secteur ?? '',
  type: row.type_dechet,
  libelle: row.libelle,
  mode: row.mode === 'porte_a_porte' ? 'porte à porte' : 'apport volontaire',
  jours: row.jours.join(', '),
  semaines: row.jours.length === 0 ? '' : rhythmInWords({ every: row.toutes_les_semaines, rang: row.rang }),
  a_partir_du: row.a_partir_du ?? '',
  dates: row.dates.join(', '),
  exceptions: row.exceptions.map(exceptionInWords).join(', '),
  consignes: row.consignes ?? '',
})
