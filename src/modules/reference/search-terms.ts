import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { cachedUntilChange } from '../../platform/access/cached-until-change.ts'
import { always, withCanOf } from '../../platform/access/rules.ts'
import type { Changes } from '../../platform/database/changes.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflictOf, invalid, validationFailed } from '../../platform/errors.ts'
import { cleanLine, textProblems } from '../../platform/formats/clean-text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { resourceRoutes, tableRows } from '../../platform/http/resource.ts'
import * as fields from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import {
  isBuiltIn,
  keyOfTerm,
  type PreparedTerm,
  prepareTerm,
  type SearchTopic,
  searchTopics,
  topicsOf,
} from './search-topics.ts'

/** A search compares each of them with each of its words. */
export const maxTerms = 200
const maxLength = 60

const term = fields.filledLine(maxLength, {
  description:
    'One word or several, which must all be in the search; accents, capitals and plurals do not count',
  examples: ['bac bleu'],
})
const topic = fields.oneOf(searchTopics, 'The page of the commune that a search for it offers')

const Stored = Type.Object({
  id: fields.Id(),
  term: Type.String({ examples: ['bac bleu'] }),
  topic,
  version: Type.Integer({ examples: [1] }),
  created_at: fields.ResponseTimestamp(),
  updated_at: fields.ResponseTimestamp(),
})

const actions = { edit: always, delete: always }
export const searchTerm = { entity: 'search_term', personal: [] }

export function searchTermsRoutes(scope: SignedInScope, deps: Deps): void {
  resourceRoutes(scope, deps, {
    path: '/admin/search-terms',
    kind: searchTerm,
    rows: tableRows<Static<typeof Stored>>('search_terms', Stored.properties, {
      shown: sql`deleted_at is null`,
    }),
    shown: fields.titled('SearchTerm', { ...Stored.properties, can: fields.Can(actions) }),
    present: (_db, rows) => rows.map(withCanOf(actions)),
    list: {
      id: 'listSearchTerms',
      summary: 'Terms that the search of the public site knows beside its own, in order',
      sort: sql`key, id`,
    },
    get: { id: 'getSearchTerm', summary: 'Read a term of the search' },
    create: {
      id: 'createSearchTerm',
      summary: `Create a term of the search; 409 when it is known, or with ${maxTerms} terms`,
      refusals: ['conflict'],
      body: fields.strictObject({ term, topic }),
      values: async (tx, { term, topic }) => {
        const named = valuesOf(term)
        await requireRoom(tx)
        return { id: uuidv7(), ...named, topic }
      },
    },
    update: {
      id: 'updateSearchTerm',
      summary: 'Change a term of the search; 409 when another one is the same',
      refusals: ['conflict', 'precondition_failed'],
      body: fields.strictPartial({ term, topic }, { minProperties: 1 }),
      values: (_tx, { term, ...body }, before) => ({
        ...body,
        ...(term !== undefined && term !== before.term && valuesOf(term)),
      }),
    },
    delete: {
      id: 'deleteSearchTerm',
      summary: 'Delete a term of the search',
      refusals: ['precondition_failed'],
    },
  })
}

/** Returns a term with its key; 422 if it has no word to look for, 409 if the service knows it. */
function valuesOf(typed: string) {
  const term = cleanLine(typed)
  const problems = textProblems('term', term, maxLength)
  if (problems.length > 0) throw validationFailed(problems)
  const key = keyOfTerm(term)
  if (key === '') throw invalid('term', messages.empty)
  if (isBuiltIn(key)) throw conflictOf(messages.known)
  return { term, key }
}

/** Throws 409 with as many terms as there may be, also if several are created at once. */
async function requireRoom(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('parvis search terms'))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from search_terms where deleted_at is null`.execute(tx)
  if ((rows[0]?.count ?? 0) >= maxTerms) throw conflictOf(messages.full)
}

const messages = {
  empty: {
    en: 'must have a word that a search looks for',
    fr: 'doit contenir un mot que la recherche utilise',
  },
  known: { en: 'The search knows this term by itself.', fr: 'La recherche connaît déjà ce terme.' },
  taken: { en: 'This term is in the list already.', fr: 'Ce terme figure déjà dans la liste.' },
  full: {
    en: `The list has ${maxTerms} terms: delete one first.`,
    fr: `La liste a ${maxTerms} termes : supprimez-en un d’abord.`,
  },
}

/** The errors of its constraints. */
export const searchTermConstraints = { search_terms_key: () => conflictOf(messages.taken) }

/**
 * Returns a function that finds the topics of a search, also by the terms of administrators, which are cached until one
 * changes. Without notifications from the database they are read for each search.
 */
export function topicFinder(db: Database, changes: Changes | null): (q: string) => Promise<SearchTopic[]> {
  const all = cachedUntilChange(changes, ['search_terms'], () => listTerms(db))
  return async (q) => topicsOf(q, (await all.read()) ?? (await listTerms(db)))
}

async function listTerms(db: Database): Promise<PreparedTerm[]> {
  const { rows } = await sql<{ topic: SearchTopic; term: string }>`
    select topic, term from search_terms where deleted_at is null limit ${sql.lit(maxTerms)}`.execute(db)
  return rows.map(({ topic, term }) => prepareTerm(topic, term))
}
