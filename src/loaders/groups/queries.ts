import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

export type KnownGroup = { id: string; siren: string | null; slug: string; nom: string; kind: string }
export type NewGroup = { id: string; siren: string; slug: string; nom: string }

/** Lists all groups and locks those with one of these SIREN, in one order, until the transaction ends. */
export async function listKnownGroups(tx: Database, sirens: string[]): Promise<KnownGroup[]> {
  await sql`select from groups where siren = any(${sirens}) order by id for update`.execute(tx)
  return tx.selectFrom('groups').select(['id', 'siren', 'slug', 'nom', 'kind']).execute()
}

/** Inserts intercommunalities; returns the SIREN of those whose slug and SIREN nobody has taken meanwhile. */
export async function insertGroups(tx: Database, groups: NewGroup[]): Promise<Set<string>> {
  const { rows } = await sql<{ siren: string }>`
    insert into groups (id, siren, slug, nom, kind)
    select id, siren, slug, nom, 'epci'
    from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as source(id uuid, siren text, slug text, nom text)
    on conflict do nothing returning siren`.execute(tx)
  return new Set(rows.map(({ siren }) => siren))
}

type Members = { group_id: string; commune_ids: string[] }
export type MembersChange = { group_id: string; added: number; removed: number }

/** Makes these communes the members of their groups, and counts what that changed, for each group that changed. */
export async function replaceAllMembers(tx: Database, members: Members[]): Promise<MembersChange[]> {
  const { rows } = await sql<MembersChange>`
    with source as materialized (
      select group_id, unnest(commune_ids) as commune_id
      from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as source(group_id uuid, commune_ids uuid[])),
    removed as (
      delete from group_communes m
      where m.group_id = any(${members.map(({ group_id }) => group_id)}::uuid[])
        and not exists (select from source s where s.group_id = m.group_id and s.commune_id = m.commune_id)
      returning m.group_id),
    added as (
      insert into group_communes (group_id, commune_id) select group_id, commune_id from source
      on conflict do nothing returning group_id)
    select group_id, count(*) filter (where is_added) as added, count(*) filter (where not is_added) as removed
    from (select group_id, true as is_added from added union all select group_id, false from removed) changes
    group by group_id`.execute(tx)
  return rows
}

/** Updates the names of intercommunalities. Increments their version even without a new name: members changed. */
export async function updateGroups(tx: Database, groups: Pick<NewGroup, 'id' | 'nom'>[]): Promise<void> {
  await sql`
    update groups set nom = source.nom, kind = 'epci', version = version + 1
    from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as source(id uuid, nom text)
    where groups.id = source.id`.execute(tx)
}
