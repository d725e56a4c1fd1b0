import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { fold } from '../../platform/formats/text.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { wordsOf } from '../reference/search-topics.ts'
import {
  acteursOfCommune,
  isPublicActeur,
  type OfCommune,
  type PublicActeur,
  publicColumns,
} from './reading.ts'

/**
 * Lists public acteurs of a commune, by name, and those that a person may mean who mistyped it. A few names that begin so are no
 * proof that it is typed well: "randone" begins "Randonero", and is like "Randonnée".
 */
export async function findActeursOfCommune(db: Database, query: OfCommune, perPage: number) {
  const { data, meta } = await numberedPage(db, acteursOfCommune, query, perPage)
  const isCertain = meta.total > certain || data.some(({ nom }) => hasWords(nom, query.q ?? ''))
  return { data, meta, near: isCertain ? [] : await listNear(db, query, new Set(data.map(({ id }) => id))) }
}

/** So many that begin alike are no accident of a typo. */
const certain = 2
/** Of the letters of a word in groups of three: "petanke" is like "pétanque". */
const minSimilarity = 0.4
/** Shorter words have too few groups: a name has one that begins so. */
const minLength = 5
const maxWords = 6
const maxNear = 10

const hasWords = (nom: string, q: string) => ` ${fold(nom)} `.includes(` ${fold(q)} `)

/**
 * Lists acteurs of which each typed word begins a word of the name, or is like one; the likest first. Reads those of the
 * commune by their index, some thousand at most.
 */
async function listNear(
  db: Database,
  { commune_id, q = '', type = [] }: OfCommune,
  known: ReadonlySet<string>,
): Promise<PublicActeur[]> {
  const words = [...new Set(wordsOf(q))]
  if (words.length === 0 || words.length > maxWords) return []
  const { rows } = await sql<PublicActeur>`
    with compared as materialized (
      select id, search_text, (select min(case when search_text like '% ' || word || '%' then 1
        when length(word) < ${sql.lit(minLength)} then 0
        else strict_word_similarity(word, search_text) end) from unnest(${words}::text[]) word) as likeness
      from acteurs where commune_id = ${commune_id} and ${isPublicActeur}
        and (cardinality(${type}::text[]) = 0 or type = any(${type}::text[]))),
    near as (
      select id as found, likeness from compared where likeness >= ${sql.lit(minSimilarity)} and id <> all(${[...known]}::uuid[])
      order by likeness desc, search_text, id limit ${sql.lit(maxNear)})
    select ${publicColumns} from near join acteurs on acteurs.id = near.found
    order by likeness desc, search_text, id`.execute(db)
  return rows
}
