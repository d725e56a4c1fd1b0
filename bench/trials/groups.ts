import { run } from '../connections.ts'
import { type Bench, measure } from '../measure.ts'
import type { Row } from '../report.ts'
import { created } from './long-work.ts'

/** As many as the largest intercommunalité has. */
const members = 545
const publicationsOfEach = 40

/** Lists the communes of a group of the largest size. */
export async function communesOfGroup({ database }: Pick<Bench, 'database'>): Promise<string[]> {
  const rows = await run(database.superuser, 'select id from communes order by code_insee limit $1', [
    members,
  ])
  return rows.map(({ id }) => id)
}

/** Makes groups of communes for whose members an acteur publishes. */
export async function makeGroups(
  bench: Pick<Bench, 'service' | 'world' | 'database'>,
  acteur: string | undefined,
  memberships: string[][],
): Promise<void> {
  const { superuser } = bench.database
  const become =
    "update acteurs set type = 'intercommunalite', valide = true, commune_id = null where id = $1"
  await run(superuser, become, [acteur])
  for (const commune_ids of memberships)
    await created(bench, '/admin/groups', {
      ...{ nom: 'Syndicat mesuré', kind: 'syndicat', acteur_id: acteur, commune_ids },
    })
}

/** The publications of a large commune, which is also a member of three groups that publish for all their members. */
export async function listsInGroups(bench: Bench): Promise<Row[]> {
  const { world } = bench
  const communes = [...new Set([world.bigCommune, ...(await communesOfGroup(bench))])]
  for (const acteur of world.publishing.slice(0, 3)) {
    await makeGroups(bench, acteur, [communes])
    for (let number = 1; number <= publicationsOfEach; number++)
      await created(bench, '/publications', {
        ...{ acteur_id: acteur, title: `Collecte modifiée ${number}`, body: 'Sortez les bacs la veille.' },
        commune_ids: [],
      })
  }
  // As autovacuum does some time after so many rows.
  await run(bench.database.superuser, 'vacuum analyze publication_listings')
  const path = `/api/v1/communes/${world.bigCommune}/publications`
  return [
    await measure(bench, {
      name: 'publications of a commune in three groups',
      requests: () => [{ method: 'GET', path, headers: { 'x-app-source': 'public' } }],
      target: { p50Ms: 5 },
    }),
  ]
}
