import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { beginsWord } from '../../platform/database/search.ts'
import { invalid } from '../../platform/errors.ts'
import { hasWord } from '../../platform/formats/text.ts'
import { isUuid } from '../../platform/formats/uuid.ts'
import { type Language, languages } from '../../platform/http/language.ts'
import { beginsManyWords } from '../../platform/search-source.ts'
import { findNamedRecords } from './named-records.ts'
import { sentences, wordsOf } from './sentences/summary.ts'

/** Meaning of a search text: entries with one of these actions, by or about one of these people, records or acteurs. */
export type SearchTerms = { actions: string[]; userIds: string[]; entityIds: string[]; acteurIds: string[] }

/** A search that matches more people is refused, so that the list is never incomplete without saying so. */
const maxPeople = 500

/**
 * Resolves a search text: the actions that contain it, and the people and records it names. A word of a sentence, such as
 * "commune", may name too many records: it finds the actions alone then.
 */
export async function resolveSearch(db: Database, q: string): Promise<SearchTerms> {
  const text = q.trim()
  if (!hasWord(text)) return { actions: [], userIds: [], entityIds: [text], acteurIds: [] }
  const [known, userIds, records] = await Promise.all([
    listActions(db),
    listPeople(db, text),
    findNamedRecords(db, text),
  ])
  if (userIds.length > maxPeople) throw invalid('q', messages.people)
  const folded = withoutAccents(text)
  const actions = known.filter((action) => isAbout(action, folded))
  if (records === null && actions.length === 0 && !beginsManyWords(text)) throw invalid('q', messages.records)
  const id = storedId(text)
  return {
    actions,
    userIds: isUuid(id) ? [...userIds, id] : userIds,
    // An account is also the record of what others did to it.
    entityIds: [...new Set([id, ...userIds, ...(records?.ids ?? [])])],
    acteurIds: records?.acteurIds ?? [],
  }
}

/** An id as the audit log stores it: our own in lower case, those of a payment provider as they came. */
export const storedId = (id: string): string => (isUuid(id) ? id.toLowerCase() : id)

const messages = {
  people: {
    en: 'matches too many people: enter more of the name',
    fr: 'correspond à trop de personnes : précisez le nom',
  },
  records: {
    en: 'matches too many names: enter more of the name',
    fr: 'correspond à trop de noms : précisez le nom',
  },
}

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
    select id from users where ${beginsWord(q)} limit ${maxPeople + 1}`.execute(db)
  return rows.map(({ id }) => id)
}
