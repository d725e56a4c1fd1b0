import Type, { type Static } from 'typebox'
import { idsQuery, listQuery, several, sortQuery } from '../../../platform/http/listing/paging.ts'
import {
  filledLine,
  Id,
  line,
  nullable,
  oneOf,
  strictObject,
  strictPartial,
  text,
} from '../../../platform/http/validation/schemas.ts'
import { withPresence } from '../../presence/schema.ts'
import { ImportSource, Mapping, sourceTypes, storedSource } from '../schema.ts'

const { acteur_id, commune_id, type_id, moderation_status, actif, skip_duplicates } = storedSource

const required = {
  nom: filledLine(200, { examples: ['Agenda de la médiathèque'] }),
  type: oneOf(sourceTypes, 'rss also reads Atom, RDF and JSON Feed'),
  url: text(2_000, {
    minLength: 1,
    description: 'An http or https address, of no private network',
    examples: ['https://mediatheque.example/agenda.xml'],
  }),
}

const optional = {
  acteur_id,
  commune_id,
  type_id,
  moderation_status,
  actif,
  skip_duplicates,
  cron: nullable(
    line(100, {
      description: 'When it runs by itself: five fields, in the time of Paris. Null: only when asked',
      examples: ['0 6 * * *'],
    }),
  ),
  mapping: nullable(
    Type.Unsafe<Static<typeof Mapping>>({
      ...Mapping,
      title: 'ImportMappingGiven',
      // The examples describe an rss source.
      examples: [null],
    }),
  ),
}

export const SourceCreate = strictObject({ ...required, ...Type.Partial(Type.Object(optional)).properties })
export type SourceCreate = Static<typeof SourceCreate>
export const SourceUpdate = strictPartial({ ...required, ...optional })
export type SourceUpdate = Static<typeof SourceUpdate>

export const SourcesQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['nom', 'created_at'], 'created_at_desc'),
  ids: idsQuery,
  q: Type.Optional(text(200, { description: 'The beginning of a word of its name', examples: ['média'] })),
  type: several(oneOf(sourceTypes), 'Of one of these types, separated by commas'),
  actif: several(Type.Boolean(), 'Active or not'),
  acteur_id: Type.Optional(Id('Sources of this acteur')),
})
export type SourcesQuery = Static<typeof SourcesQuery>

export const SourceRead = withPresence(ImportSource.properties, 'ImportSourceRead')
