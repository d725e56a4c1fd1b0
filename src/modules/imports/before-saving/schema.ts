import Type, { type Static } from 'typebox'
import {
  nullable,
  oneOf,
  strictObject,
  text,
  textOrNull,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { DryRun } from '../run/schema.ts'
import { Mapping, sourceTypes } from '../schema.ts'

export const InspectBody = strictObject({
  url: text(2_000, {
    minLength: 1,
    description: 'An http or https address, of no private network; of a feed, or of a page that names feeds',
    examples: ['https://mediatheque.example/'],
  }),
})

const SampleItem = titled('ImportSampleItem', {
  external_id: textOrNull('urn:uuid:42'),
  title: textOrNull('Heure du conte'),
  excerpt: textOrNull('Des histoires pour les petits.', 'The beginning of its text, without markup'),
  url: textOrNull('https://mediatheque.example/42'),
  image_url: textOrNull('https://mediatheque.example/42.jpg'),
  date_debut: textOrNull('2026-11-20'),
  date_fin: textOrNull('2026-11-21'),
  problem: textOrNull('it has no identifier', 'Why an import refuses it, or a remark'),
})

const type = oneOf(sourceTypes, 'rss also reads Atom, RDF and JSON Feed')

export const Inspection = titled('ImportInspection', {
  type: nullable(oneOf(sourceTypes, 'null: it could not be read (`error`), or is a page that names `feeds`')),
  mapping: nullable(
    Type.Unsafe<Static<typeof Mapping> | null>({
      ...Mapping,
      title: 'ImportMappingProposed',
      description: 'Proposed by the names of the fields; only for csv and json',
    }),
  ),
  fields: Type.Array(
    titled('ImportField', {
      name: Type.String({ examples: ['titre'] }),
      example: textOrNull('Heure du conte'),
    }),
    { description: 'Columns or paths that a mapping can name; only for csv and json' },
  ),
  items: Type.Array(SampleItem, { description: 'The first ten, as an import reads them' }),
  feeds: Type.Array(
    titled('ImportLinkedFeed', {
      url: Type.String({ examples: ['https://mediatheque.example/agenda.xml'] }),
      title: textOrNull('Agenda'),
      type,
    }),
    { description: 'The feeds that a web page names' },
  ),
  error: textOrNull('The server answered 404.', 'Why it could not be read'),
})
export type Inspection = Static<typeof Inspection>

const {
  id: _id,
  source_id: _source,
  held_decision: _decision,
  held_decided_at: _at,
  ...reported
} = DryRun.properties

/** A dry run of a source that is not saved: neither is stored. */
export const UnsavedDryRun = titled('ImportUnsavedDryRun', reported)
export type UnsavedDryRun = Static<typeof UnsavedDryRun>
