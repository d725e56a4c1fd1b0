import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { beginsWord } from '../../platform/database/search.ts'
import { hasWord } from '../../platform/formats/text.ts'
import { isUuid } from '../../platform/formats/uuid.ts'
import { type Language, languages } from '../../platform/http/language.ts'
import { beginsManyWords } from '../../platform/search-source.ts'
import { containWords } from '../publications/search.ts'
import { sentences, wordsOf } from './sentences/summary.ts'

/** Meaning of a search text: entries with one of these actions, by or about one of these people, records or acteurs. */
export type SearchTerms = {
  actions: string[]
  userIds: string[]
  entityIds: string[]
  acteurIds: string[]
  /** More people or records have the name than are searched. */
  isCut: boolean
}

/** People, and records, of one name that are searched. Each costs lookups in indexes of the audit log. */
const maxNamed = 500
/** Matches that are read to find the newest of them. */
const maxRead = 5_000

/**
 * Resolves a search text: the actions that contain it, and the people and records it names, the newest of many. A word of a
 * sentence, such as "commune", may name too many records: it finds the actions alone then.
 */
export async function resolveSearch(db: Database, q: string): Promise<SearchTerms> {
  const text = q.trim()
  if (!hasWord(text)) return { actions: [], userIds: [], entityIds: [text], acteurIds: [], isCut: false }
  const [known, people, named] = await Promise.all([
    listActions(db),
    listPeople(db, text),
    findNamedRecords(db, text),
  ])
  const folded = withoutAccents(text)
  const actions = known.filter((action) => isAbout(action, folded))
  const records = named.isCut && actions.length > 0 ? noRecords : named
  const userIds = people.slice(0, maxNamed)
  const id = storedId(text)
  return {
    actions,
    userIds: isUuid(id) ? [...userIds, id] : userIds,
    // An account is also the record of what others did to it.
    entityIds: [...new Set([id, ...userIds, ...records.ids])],
    acteurIds: records.acteurIds,
    isCut: records.isCut || people.length > maxNamed,
  }
}

/** An id as the audit log stores it: our own in lower case, those of a payment provider as they came. */
export const storedId = (id: string): string => (isUuid(id) ? id.toLowerCase() : id)

/** True if the action, or its sentence in one of the languages, contains the text at the start of a word. */
const isAbout = (action: string, folded: string): boolean =>
  action.includes(folded) ||
  languages.some((language) => sentenceWords(action, language).includes(` ${folded}`))

function sentenceWords(action: string, language: Language): string {
  const sentence = sentences[action]
  return sentence === undefined
    ? ''
    : ` ${withoutAccents(wordsOf(sentence, language)).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`
}

const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Lists the actions in the audit log, with one index lookup each. */
async function listActions(db: Database): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive known as (
      (select action from audit_log order by action limit 1)
      union all
      select (select l.action from audit_log l where l.action > known.action order by l.action limit 1)
      from known where known.action is not null)
    select action from known where action is not null`.execute(db)
  return rows.map(({ action }) => action)
}

async function listPeople(db: Database, q: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (select id from users where ${beginsWord(q)} limit ${sql.lit(maxRead)}) named
    order by id desc ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Records that a text names, by the names that sentences of the audit log show. */
type NamedRecords = { ids: string[]; acteurIds: string[]; isCut: boolean }

const noRecords: NamedRecords = { ids: [], acteurIds: [], isCut: false }
/** Publications whose titles are compared where too many texts have the words. */
const newestRead = 10_000

/**
 * Finds records by a word of the name that they have now, and deleted ones by the name that the entry of their deletion
 * holds: 500 at most, the newest of those that it reads. An erased person has no name, and the log holds no value of a personal
 * field.
 */
export async function findNamedRecords(db: Database, q: string): Promise<NamedRecords> {
  const number = /^(?:n° ?|#)?(\d{1,9})$/i.exec(q)?.[1]
  if (beginsManyWords(q) && number === undefined) return noRecords
  type Row = { id: string | null; is_acteur: boolean }
  const { rows } = await sql<Row>`
    with named_acteurs as materialized (select id from acteurs where ${beginsWord(q)} ${limit}),
      named_sources as materialized (select id from import_sources where ${beginsWord(q)} ${limit}),
      texts as materialized (
        select p.id, p.title from publications p where ${containWords(q)} limit ${sql.lit(maxRead + 1)}),
      too_many as materialized (select from (select count(*) from texts) t where t.count > ${sql.lit(maxRead)})
    select id::text, true as is_acteur from named_acteurs
    union all select * from (select c.id::text, false from claims c join named_acteurs a on a.id = c.acteur_id ${limit}) r
    union all select * from (
      select s.id::text, false from subscriptions s join named_acteurs a on a.id = s.acteur_id ${limit}) r
    union all select id::text, false from named_sources
    union all select * from (
      select i.id::text, false from import_runs i join named_sources s on s.id = i.source_id ${limit}) r
    union all select id::text, false from texts where not exists (select from too_many) and ${names(sql`title`, q)}
    union all select null, false from too_many
    union all select * from (
      select id::text, false from (
        select p.id, p.title from publications p where exists (select from too_many)
        order by p.id desc limit ${sql.lit(newestRead)}) newest
      where ${names(sql`title`, q)} ${limit}) r
    union all select * from (select id::text, false from communes where ${beginsWord(q)} ${limit}) r
    union all select * from (select id::text, false from defibrillateurs where ${beginsWord(q)} ${limit}) r
    union all select * from (select id::text, false from alertes where ${names(sql`titre`, q)} ${limit}) r
    union all select id::text, false from reply_templates where ${names(sql`name`, q)}
    union all select id::text, false from grounds where ${names(sql`label`, q)}
    union all select id::text, false from publication_types where ${names(sql`libelle`, q)}
    union all select id::text, false from search_terms where ${names(sql`term`, q)}
    union all select code, false from app_sources where ${names(sql`label`, q)}
    union all select id::text, false from support_threads where number = ${number ?? null}::bigint
    union all select * from (
      select entity_id, false from audit_log where action like '%.delete' and ${deletedName(q)} ${limit}) r`.execute(
    db,
  )
  const known = rows.flatMap(({ id, is_acteur }) => (id === null ? [] : [{ id, is_acteur }]))
  // Our ids begin with the time at which they were made.
  const newest = known.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, maxNamed)
  return {
    ids: newest.map(({ id }) => id),
    acteurIds: newest.filter(({ is_acteur }) => is_acteur).map(({ id }) => id),
    isCut: known.length > maxNamed || known.length < rows.length,
  }
}

const limit = sql`limit ${sql.lit(maxNamed + 1)}`

const names = (column: RawBuilder<unknown>, q: string) =>
  sql`(' ' || search_key(${column})) like '% ' || search_key(${q}) || '%'`

/** Written as in its index, `audit_log_of_deleted`. */
const deletedName = (q: string) => sql`
  (' ' || search_key(coalesce(before ->> 'titre', before ->> 'nom', before ->> 'name', before ->> 'libelle',
    before ->> 'label', ''))) like '% ' || search_key(${q}) || '%'
  and coalesce(before ->> 'titre', before ->> 'nom', before ->> 'name', before ->> 'libelle', before ->> 'label')
    <> '(personal)'`
