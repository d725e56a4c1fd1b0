import Type, { type Static } from 'typebox'
import {
  Can,
  filledLine,
  Id,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { sides } from './streets.ts'

/** The most streets of a secteur. The database bounds them too. */
export const maxStreets = 3_000
/** The most points of an area: a drawn one has some dozens. */
export const maxPoints = 2_000

export const OfSecteur = Type.Object({
  communeId: Id('Identifier of the commune'),
  id: Id('Identifier of the secteur'),
})

const number = (description: string, example: number) =>
  nullable(Type.Integer({ minimum: 1, maximum: 9_999, description, examples: [example] }))
const streetFields = {
  rue: filledLine(200, { examples: ['Rue de la République'] }),
  de: number('The first house number; null: from the beginning', 1),
  a: number('The last house number; null: to the end', 25),
  cote: nullable(oneOf(sides, 'Even or odd numbers; null: both sides')),
}
const SecteurStreet = Type.Object(streetFields, { title: 'SecteurStreet' })
const StreetBody = strictObject(
  {
    rue: streetFields.rue,
    ...Type.Partial(Type.Object({ de: streetFields.de, a: streetFields.a, cote: streetFields.cote }))
      .properties,
  },
  { title: 'SecteurStreetBody' },
)

const Position = Type.Array(Type.Number({ minimum: -180, maximum: 180 }), {
  ...{ minItems: 2, maxItems: 2 },
  description: 'Longitude and latitude',
  examples: [[5.9178, 45.5646]],
})
const ring = [
  [5.9, 45.5],
  [5.95, 45.5],
  [5.95, 45.6],
  [5.9, 45.5],
]
const Ring = Type.Array(Position, { minItems: 4, maxItems: maxPoints, examples: [ring] })
const Rings = Type.Array(Ring, { minItems: 1, maxItems: 50, examples: [[ring]] })
const kinds = ['Polygon', 'MultiPolygon'] as const
export type Zone =
  | { type: 'Polygon'; coordinates: number[][][] }
  | { type: 'MultiPolygon'; coordinates: number[][][][] }
const drawn = [
  strictObject({ type: Type.Literal('Polygon'), coordinates: Rings }),
  strictObject({
    type: Type.Literal('MultiPolygon'),
    coordinates: Type.Array(Rings, { minItems: 1, maxItems: 50 }),
  }),
] as const
const ZoneBody = Type.Union([...drawn, Type.Null()], {
  title: 'SecteurZoneBody',
  description: 'Its area, as GeoJSON',
})
const zone = nullable(
  Type.Unsafe<Zone>(
    Type.Object(
      {
        type: oneOf(kinds),
        coordinates: Type.Array(Type.Unknown(), {
          description: 'As in GeoJSON: rings of longitude and latitude',
          examples: [
            [
              [
                [5.9, 45.5],
                [5.95, 45.5],
                [5.95, 45.6],
                [5.9, 45.5],
              ],
            ],
          ],
        }),
      },
      { title: 'SecteurZone', description: 'Its area, as GeoJSON' },
    ),
  ),
)

/** A secteur as the public reads it. */
const shown = {
  id: Id(),
  nom: Type.String({ examples: ['Centre'] }),
  anciens_noms: Type.Array(Type.String(), { description: 'Names it had', examples: [[]] }),
  rues: Type.Array(SecteurStreet, { description: 'Its streets, or numbers of them' }),
  zone,
}
export const Secteur = titled('Secteur', shown)

export const storedFields = {
  ...shown,
  commune_id: Id(),
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp(),
  updated_at: ResponseTimestamp(),
}
const Stored = Type.Object(storedFields)
export type SecteurRow = Static<typeof Stored>

export const ManagedSecteur = titled('ManagedSecteur', {
  ...storedFields,
  collectes: Type.Integer({ description: 'How many collections name it', examples: [3] }),
  can: Can({ edit: true, delete: true }),
})
export type ManagedSecteur = Static<typeof ManagedSecteur>

const written = {
  nom: filledLine(200, {
    description: 'Its collections follow a new name; the former one leads here',
    examples: ['Hauts'],
  }),
  rues: Type.Array(StreetBody, { maxItems: maxStreets, description: 'Replaced whole when given' }),
  zone: ZoneBody,
}
export const SecteurCreate = strictObject({
  nom: written.nom,
  ...Type.Partial(Type.Object({ rues: written.rues, zone: written.zone })).properties,
})
export type SecteurCreate = Static<typeof SecteurCreate>
export const SecteurUpdate = strictPartial(written, { minProperties: 1 })
export type SecteurUpdate = Static<typeof SecteurUpdate>

/** An area that is drawn, before it is saved. */
export const DrawnZone = strictObject({
  zone: Type.Union([...drawn], { title: 'DrawnZone', description: 'As GeoJSON' }),
})
export const AddressesInZone = titled('AddressesInZone', {
  inside: Type.Integer({ description: 'Addresses of the commune within the area', examples: [412] }),
  known: Type.Integer({
    description: 'Addresses of the commune that are known; 0: its file of addresses is not loaded',
    examples: [3_180],
  }),
})
