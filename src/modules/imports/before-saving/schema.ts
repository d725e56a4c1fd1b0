import Type, { type Static } from 'typebox'
import { nullable, oneOf, text } from '../../../platform/http/validation/schemas.ts'
import { DryRun } from '../run/schema.ts'
import { Mapping, sourceTypes } from '../schema.ts'

export const InspectBody = Type.Object(
  {
    url: text(2_000, {
      minLength: 1,
      description:
        'An http or https address, of no private network; of a feed, or of a page that names feeds',
      examples: ['https://mediatheque.example/'],
    }),
  },
  { additionalProperties: false },
)

const word = (example: string, description?: string) =>
  nullable(Type.String({ examples: [example], ...(description && { description }) }))

const SampleItem = Type.Object(
  {
    external_id: word('urn:uuid:42'),
    title: word('Heure du conte'),
    excerpt: word('Des histoires pour les petits.', 'The beginning of its text, without markup'),
    url: word('https://mediatheque.example/42'),
    image_url: word('https://mediatheque.example/42.jpg'),
    date_debut: word('2026-11-20'),
    date_fin: word('2026-11-21'),
    problem: word('it has no identifier', 'Why an import refuses it, or a remark'),
  },
  { title: 'ImportSampleItem' },
)

const type = oneOf(sourceTypes, 'rss also reads Atom, RDF and JSON Feed')

export const Inspection = Type.Object(
  {
    type: nullable(
      oneOf(sourceTypes, 'null: it could not be read (`error`), or is a page that names `feeds`'),
    ),
    mapping: nullable(
      Type.Unsafe<Static<typeof Mapping> | null>({
        ...Mapping,
        title: 'ImportMappingProposed',
        description: 'Proposed by the names of the fields; only for csv and json',
      }),
    ),
    fields: Type.Array(
      Type.Object(
        { name: Type.String({ examples: ['titre'] }), example: word('Heure du conte') },
        { title: 'ImportField' },
      ),
      { description: 'Columns or paths that a mapping can name; only for csv and json' },
    ),
    items: Type.Array(SampleItem, { description: 'The first ten, as an import reads them' }),
    feeds: Type.Array(
      Type.Object(
        {
          url: Type.String({ examples: ['https://mediatheque.example/agenda.xml'] }),
          title: word('Agenda'),
          type,
        },
        { title: 'ImportLinkedFeed' },
      ),
      { description: 'The feeds that a web page names' },
    ),
    error: word('The server answered 404.', 'Why it could not be read'),
  },
  { title: 'ImportInspection' },
)
export type Inspection = Static<typeof Inspection>

const {
  id: _id,
  source_id: _source,
  held_decision: _decision,
  held_decided_at: _at,
  ...reported
} = DryRun.properties

/** A dry run of a source that is not saved: neither is stored. */
export const UnsavedDryRun = Type.Object(reported, { title: 'ImportUnsavedDryRun' })
export type UnsavedDryRun = Static<typeof UnsavedDryRun>
