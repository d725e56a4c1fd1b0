import { type RawBuilder, sql } from 'kysely'
import { jsonTime } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { Act, ManagedAct } from './schema.ts'

/** An act as it is stored, without what other tables say of it. */
export type ActRow = Omit<ManagedAct, 'can' | 'warnings' | 'seal' | 'url'> & {
  has_text: boolean
  typed_text: boolean
  published_by: string | null
  commune_ids: string[]
}

const stored = sql`ac.id, ac.acteur_id, ac.state, ac.kind, ac.number, ac.title, ac.date::text as date,
  ac.author_first_name, ac.author_name, ac.author_quality, ac.subject, ac.individual, ac.supersedes, ac.superseded_by,
  ac.published_by, ac.commune_ids, ac.published_at, ac.archived_at, ac.occulted_at, ac.occulted_reason,
  ac.sha256, ac.bytes, ac.pages, ac.has_text, ac.typed_text, ac.version, ac.created_at, ac.updated_at`

const sealOf = sql`(
  select json_build_object('number', s.number, 'seal', encode(s.seal, 'hex'),
    'timestamp', case when t.at is not null then json_build_object('at', ${jsonTime(sql`t.at`)}, 'authority', t.authority) end)
  from act_seals s left join act_timestamps t on t.number = s.number where s.act_id = ac.id)`

export type ManagedRow = Omit<ManagedAct, 'can' | 'url'> & { typed_text: boolean }

/** An act as its mairie sees it. */
export const managedColumns = sql<ManagedRow>`${stored}, ${sealOf} as seal,
  array_remove(array[
    case when not ac.has_text and not ac.typed_text then 'no_text' end,
    case when ac.date < (select (a.created_at at time zone 'Europe/Paris')::date from acteurs a where a.id = ac.acteur_id)
      then 'before_mairie' end], null) as warnings`

export type PublicRow = Omit<Act, 'url'> & { updated_at: Date; typed_text: boolean }

/** An act as everybody sees it. */
export const publicColumns = sql<PublicRow>`${stored}, ${sealOf} as seal,
  (select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = ac.acteur_id) as acteur,
  (select coalesce(json_agg(json_build_object('id', c.id, 'nom', c.nom) order by c.nom, c.id), '[]')
    from communes c where c.id = any(ac.commune_ids)) as communes`

/** Acts on the public lists: archived ones have left them. */
export const isListed = sql<boolean>`ac.state in ('published', 'superseded', 'occulted')`

/** Published in the name of one of these communes. */
export const isOfCommunes = (communeIds: readonly string[]) =>
  sql<boolean>`ac.commune_ids && ${communeIds}::uuid[]`

/** Reads a published act, in whatever state; undefined if the application does not show its communes. */
export async function findPublicAct(
  db: Database,
  id: string,
  communeIds: readonly string[] | null,
): Promise<PublicRow | undefined> {
  const { rows } = await sql<PublicRow>`
    select ${publicColumns} from acts ac
    where ac.id = ${id} and ac.state <> 'draft' and ${communeIds === null ? sql`true` : isOfCommunes(communeIds)}`.execute(
    db,
  )
  return rows[0]
}

/** Names acts beside one that they correct or that corrects them. */
export async function listNamed(
  db: Database,
  ids: readonly string[],
  communeIds: readonly string[] | null,
): Promise<Pick<PublicRow, 'id' | 'title'>[]> {
  const { rows } = await sql<Pick<PublicRow, 'id' | 'title'>>`
    select ac.id, ac.title from acts ac where ac.id = any(${ids}::uuid[]) and ac.state <> 'draft'
      and ${communeIds === null ? sql`true` : isOfCommunes(communeIds)}`.execute(db)
  return rows
}

/** True if a commune has acts on its public list. Materialised, or else PostgreSQL reads the table until it finds the first. */
export async function hasActs(db: Database, communeId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with own as materialized (select from acts ac where ${isListed} and ${isOfCommunes([communeId])})
    select exists (select from own) as found`.execute(db)
  return rows[0]?.found ?? false
}

/** Lists the years in which a commune has acts, the latest first. */
export async function listYears(db: Database, communeId: string): Promise<number[]> {
  const { rows } = await sql<{ year: number }>`
    select distinct extract(year from ac.date)::int as year from acts ac
    where ${isListed} and ${isOfCommunes([communeId])} order by year desc`.execute(db)
  return rows.map(({ year }) => year)
}

/** Reads an act of a mairie. */
export async function getManagedAct(db: Database, acteurId: string, id: string): Promise<ManagedRow> {
  const { rows } = await sql<ManagedRow>`
    select ${managedColumns} from acts ac where ac.id = ${id} and ac.acteur_id = ${acteurId}`.execute(db)
  return rows[0] ?? raise(notFound())
}

export async function getAct(db: Database, id: string): Promise<ActRow> {
  const { rows } = await sql<ActRow>`select ${stored} from acts ac where ac.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Locks an act until the transaction ends and returns it; 404 if it does not exist. */
export async function getActForUpdate(tx: Database, id: string): Promise<ActRow> {
  await sql`select from acts where id = ${id} for update`.execute(tx)
  return getAct(tx, id)
}

export async function updateAct(tx: Database, id: string, values: Partial<ActRow>): Promise<ActRow> {
  await tx.updateTable('acts').set(values).where('id', '=', id).execute()
  return getAct(tx, id)
}

export type ActFile = { content: Buffer; text: string }
type NewAct = Pick<
  ActRow,
  | 'id'
  | 'acteur_id'
  | 'kind'
  | 'number'
  | 'title'
  | 'date'
  | 'author_first_name'
  | 'author_name'
  | 'author_quality'
  | 'subject'
  | 'individual'
  | 'supersedes'
  | 'sha256'
  | 'pages'
>

/** Inserts a draft with its file. */
export async function insertDraft(tx: Database, act: NewAct, { content, text }: ActFile): Promise<ActRow> {
  const bytes = content.byteLength
  await tx
    .insertInto('acts')
    .values({ ...act, bytes, has_text: /[\p{L}\p{N}]/u.test(text) })
    .execute()
  await sql`
    insert into act_files (act_id, sha256, bytes, content, text, words)
    values (${act.id}, ${act.sha256}, ${bytes}, ${content}, ${text}, ${wordsOf(act, sql`${text}::text`)})`.execute(
    tx,
  )
  return getAct(tx, act.id)
}

type Worded = Pick<ActRow, 'id' | 'title' | 'number'>

/** Stores the words of a draft again, whose title or number changed. */
export async function updateWords(tx: Database, act: Worded): Promise<void> {
  await sql`update act_files set words = ${wordsOf(act, sql`text`)} where act_id = ${act.id}`.execute(tx)
}

/** Stores the text of a draft, with its words. */
export async function updateText(tx: Database, act: Worded, text: string): Promise<void> {
  const words = wordsOf(act, sql`${text}::text`)
  await sql`update act_files set text = ${text}, words = ${words} where act_id = ${act.id}`.execute(tx)
}

/** Returns the text that a mairie typed for a scan; null without one. */
export async function getTypedText(db: Database, id: string): Promise<string | null> {
  const { rows } = await sql<{ text: string }>`
    select f.text from acts ac join act_files f on f.act_id = ac.id where ac.id = ${id} and ac.typed_text`.execute(
    db,
  )
  return rows[0]?.text ?? null
}

const wordsOf = ({ title, number }: Pick<ActRow, 'title' | 'number'>, text: RawBuilder<unknown>) =>
  sql`document_search(concat_ws(' ', ${title}::text, ${number}::text, ${text}))`

/** Deletes a draft with its file. */
export async function deleteDraft(tx: Database, id: string): Promise<void> {
  await sql`delete from acts where id = ${id}`.execute(tx)
}

/** Removes the file of an occulted act. */
export async function deleteFile(tx: Database, id: string): Promise<void> {
  await sql`delete from act_files where act_id = ${id}`.execute(tx)
}

/** Returns a part of the file of an act. */
export async function getPartOfFile(
  db: Database,
  id: string,
  { first, length }: { first: number; length: number },
): Promise<Buffer> {
  const { rows } = await sql<{ content: Buffer }>`
    select substring(content from ${first + 1} for ${length}) as content from act_files where act_id = ${id}`.execute(
    db,
  )
  return rows[0]?.content ?? raise(notFound())
}

/** Returns the published act of a mairie that has this number; one that was corrected does not count. */
export async function findByNumber(
  db: Database,
  acteurId: string,
  number: string,
  except: string | null = null,
): Promise<{ id: string; title: string } | undefined> {
  const { rows } = await sql<{ id: string; title: string }>`
    select id, title from acts
    where published_by = ${acteurId} and lower(number) = lower(${number}) and id is distinct from ${except}
      and state in ('published', 'archived', 'occulted') limit 1`.execute(db)
  return rows[0]
}

/** Returns the published act of a mairie that has this file. */
export async function findByFile(
  db: Database,
  acteurId: string,
  sha256: string,
): Promise<{ id: string; title: string } | undefined> {
  const { rows } = await sql<{ id: string; title: string }>`
    select id, title from acts
    where published_by = ${acteurId} and sha256 = ${sha256} and state <> 'draft' limit 1`.execute(db)
  return rows[0]
}

/** A mairie with its communes, or the acteur of groups with those that name it; `members`: the communes of these. */
export type Publisher = {
  id: string
  nom: string
  communes: { id: string; code_insee: string; nom: string }[]
  groups: { siren: string | null; nom: string }[]
  members: string[]
}

/** Returns who publishes an act, and locks it against a merge. */
export async function getPublisher(tx: Database, acteurId: string): Promise<Publisher> {
  await sql`select from acteurs where id = ${acteurId} for share`.execute(tx)
  const { rows } = await sql<Publisher>`
    select a.id, a.nom, (
      select coalesce(json_agg(json_build_object('id', c.id, 'code_insee', c.code_insee, 'nom', c.nom)
        order by c.code_insee), '[]')
      from communes c where c.mairie_actor_id = a.id) as communes, (
      select coalesce(json_agg(json_build_object('siren', g.siren, 'nom', g.nom) order by g.siren, g.id), '[]')
      from groups g where g.acteur_id = a.id) as groups,
      array(select distinct m.commune_id from groups g join group_communes m on m.group_id = g.id
        where g.acteur_id = a.id order by m.commune_id) as members
    from acteurs a where a.id = ${acteurId} and a.deleted_at is null and a.merged_into is null`.execute(tx)
  return rows[0] ?? raise(notFound())
}

/** Returns the beginning of the text of an act; empty if its file is gone. */
export async function getBeginning(db: Database, id: string, length: number): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select left(text, ${length}::int) as text from act_files where act_id = ${id}`.execute(db)
  return rows[0]?.text ?? ''
}

/** Sums the bytes of all files. */
export async function sumFileBytes(db: Database): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(bytes), 0)::float8 as total from act_files`.execute(db)
  return rows[0]?.total ?? 0
}
