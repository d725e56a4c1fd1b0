import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { among } from '../../../platform/database/conditions.ts'
import { beginsName, beginsWord } from '../../../platform/database/search.ts'
import { hasWord } from '../../../platform/formats/text.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { idsQuery } from '../../../platform/http/listing/paging.ts'
import { Id, list, oneOf, text, textOrNull, titled } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { beginsManyWords } from '../../../platform/search-source.ts'

const ChoicesQuery = Type.Object({
  of: oneOf(['acteur', 'source'], 'What the list of publications is to be filtered by'),
  q: Type.Optional(text(200, { description: 'Beginning of a word of the name', examples: ['croq'] })),
  ids: idsQuery,
})
type ChoicesQuery = Static<typeof ChoicesQuery>

const Choice = titled('PublicationFilterChoice', {
  id: Id(),
  nom: Type.String({ examples: ['Les Croqueurs de pommes'] }),
  detail: textOrNull('Chambéry', 'Commune of an acteur, host of a source: its address may hold a key'),
})
type Choice = Static<typeof Choice>

/** What a moderator can filter publications by, without the areas of acteurs and imports. */
export function choicesAdminRoutes(scope: SignedInScope, { lists }: Deps): void {
  scope.get(
    '/admin/publications/choices',
    {
      config: { load: 'list' },
      schema: {
        operationId: 'listPublicationFilterChoices',
        summary: `The first ${maxChoices} acteurs or import sources by name, or those with these ids`,
        querystring: ChoicesQuery,
        response: { 200: list(Choice) },
      },
    },
    async ({ query }) => {
      const { rows } = await sql<Choice>`${choicesOf[query.of](query)}`.execute(lists)
      return { data: rows }
    },
  )
}

const maxChoices = 20

const choicesOf: Record<ChoicesQuery['of'], (query: ChoicesQuery) => RawBuilder<unknown>> = {
  // Publications may also be filtered by a deleted acteur, whose id is in the address.
  acteur: ({ q = '', ids }) => sql`
    select a.id, a.nom, (select c.nom from communes c where c.id = a.commune_id) as detail from acteurs a
    where ${ids ? among('a.id')(ids) : sql`a.deleted_at is null and a.merged_into is null and ${hasName(q)}`}
    order by a.search_text, a.id limit ${sql.lit(maxChoices)}`,
  source: ({ q = '', ids }) => sql`
    select s.id, s.nom, substring(s.url from '^https?://(?:[^/?#@]*@)?([^/?#]+)') as detail from import_sources s
    where s.deleted_at is null and ${ids ? among('s.id')(ids) : hasName(q)}
    order by s.search_text, s.id limit ${sql.lit(maxChoices)}`,
}

/** Fewer than three letters are the beginning of the name, more that of any of its words. */
const hasName = (q: string) =>
  hasWord(q) && beginsManyWords(q) ? beginsName(sql`search_text`, q, ' ') : beginsWord(q)
