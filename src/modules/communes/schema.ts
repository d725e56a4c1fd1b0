import Type, { type Static, type TSchema, type TSchemaOptions, type TUnsafe } from 'typebox'
import {
  DateOnly,
  Id,
  nullable,
  oneOf,
  text,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { Image } from '../media/schema.ts'
import { JOURS, type Rang, rangs } from './calendar.ts'
import {
  communeFields,
  type Field,
  type FieldName,
  type LookName,
  lookKinds,
  namesOf,
  type PictureName,
  pictureKinds,
  typedKinds,
} from './fields.ts'

/** Response schemas of a commune and its sub-lists. Rows have the same fields. */

export const collecteModes = ['porte_a_porte', 'apport_volontaire'] as const

export const CommuneSlug = Type.String({
  pattern: '^[a-z0-9-]{1,200}$',
  description: 'Slug of the commune',
  examples: ['chambery'],
})
export const ById = Type.Object({ id: Id('Identifier of the commune') })
export const ByCommune = Type.Object({ communeId: Id('Identifier of the commune') })

/** Query parameters of the public list and the back-office list. */
export const communeFilters = {
  q: Type.Optional(
    text(200, {
      description:
        'Beginning of the name or of a word of it, whatever its accents and case, `st` and `ste` read as saint and sainte too, also of a former commune; or of a postal or INSEE code (five digits: an INSEE code only if no commune has this postal code); both together (`73000 chambery`); a name and its département or region (`Chambéry, Savoie`); or a département or region. The exact name comes first, then names that begin so, then the rest; in each, more people first. Where nothing is found: names with one wrong letter in a word of five or more, and the town of a postal code of its own offices (`75000`, `38025 CEDEX`)',
      examples: ['chambe'],
    }),
  ),
  departement: Type.Optional(
    Type.String({ pattern: '^[0-9][0-9AB][0-9]?$', description: 'Code of a département', examples: ['73'] }),
  ),
  region: Type.Optional(
    Type.String({ pattern: '^[0-9]{2}$', description: 'Code of a region', examples: ['84'] }),
  ),
  group_id: Type.Optional(Id('Members of this group of communes')),
  code_insee: Type.Optional(
    Type.String({
      pattern: '^[0-9][0-9AB][0-9]{3}$',
      description: 'INSEE code; that of a former commune leads to the present one',
      examples: ['73065'],
    }),
  ),
}

const picture = ({ description }: TSchemaOptions, name: string) => ({
  ...{ ...Image, title: name.charAt(0).toUpperCase() + name.slice(1) },
  ...(description && { description }),
})

/** The response schema of each kind of field. */
const kinds = {
  line: (options) => Type.String(options),
  code: (options) => Type.String(options),
  codes: (options) => Type.Array(Type.String(), options),
  count: (options) => Type.Integer(options),
  degrees: (options) => Type.Number(options),
  acteur: ({ description }) => Id(description),
  title: (options) => Type.String(options),
  color: (options) => Type.String(options),
  emblem: picture,
  picture,
} satisfies Record<Field['kind'], (options: TSchemaOptions, name: string) => TSchema>

type Values = {
  line: string
  code: string
  codes: string[]
  count: number
  degrees: number
  acteur: string
  title: string
  color: string
  emblem: Image
  picture: Image
}
/** The value of a field in responses. */
export type Shown<Name extends FieldName> =
  | Values[(typeof communeFields)[Name]['kind']]
  | ((typeof communeFields)[Name] extends { required: true } | { kind: 'codes' } ? never : null)
type SchemaOf<Name extends FieldName> = TUnsafe<Shown<Name>>

/** True for a field that may have no value. */
export const isNullable = ({ kind, required }: Field) => kind !== 'codes' && !required

const eachField = <Name extends FieldName>(names: readonly Name[]) =>
  Object.fromEntries(
    names.map((name) => {
      const field: Field = communeFields[name]
      const { kind, read, example } = field
      const schema = kinds[kind](
        { ...(read && { description: read }), ...(example !== undefined && { examples: [example] }) },
        name,
      )
      return [name, isNullable(field) ? nullable(schema) : schema]
    }),
  ) as { [N in Name]: SchemaOf<N> }

const shownFields = {
  ...eachField(namesOf(...typedKinds, 'acteur', ...lookKinds)),
  slug: CommuneSlug,
}
const { slug, nom, code_insee, codes_postaux, departement } = shownFields

/** A commune whose mairie hides what a group publishes or alerts. */
export const CommuneHiding = titled('CommuneHiding', {
  id: Id(),
  slug: Type.String({ examples: ['bourg-en-bresse'] }),
  nom: Type.String({ examples: ['Bourg-en-Bresse'] }),
})

export const CommuneListed = titled('CommuneListed', {
  id: Id(),
  ...{ slug, nom, code_insee, codes_postaux, departement },
})
export type CommuneListed = Static<typeof CommuneListed>

export const CommuneFound = titled('CommuneFound', {
  ...CommuneListed.properties,
  code_postal: Type.Optional(
    nullable(
      Type.String({
        description: 'With `q`: its postal code that the search matched. Null: it was found another way',
        examples: ['73000'],
      }),
    ),
  ),
})
export type CommuneFound = Static<typeof CommuneFound>

/** Fields stored in the commune's own row, without its pictures. */
export const communeColumns = { ...CommuneListed.properties, ...shownFields }

export const pictureNames = namesOf(...pictureKinds)
export const pictureFields = eachField(pictureNames)
export type Pictures = Pick<Commune, PictureName>
/** How a commune shows itself. */
export type Look = Pictures & Pick<Commune, LookName>

export const Commune = titled('Commune', { ...communeColumns, ...pictureFields })
export type Commune = Static<typeof Commune>

export const Elu = titled('Elu', {
  id: Id(),
  nom: Type.String({ examples: ['Vauquelin'] }),
  prenom: Type.String({ examples: ['Odile'] }),
  fonction: Type.String({ examples: ['Maire'] }),
  ordre: Type.Integer({ examples: [1] }),
  photo_url: textOrNull(
    'https://mairie.example/elus/vauquelin.jpg',
    'Of `photo`, the largest JPEG; without one, the address that was given',
  ),
  photo: nullable({ ...Image, title: 'Portrait', description: 'The portrait' }),
  mandat_debut: nullable(DateOnly('First day of the mandate')),
})
export type Elu = Static<typeof Elu>
/** An élu as the row has it: the portrait by its id. */
export type StoredElu = Omit<Elu, 'photo'> & { photo: string | null }

const Exception = Type.Object({
  date: DateOnly('A round that does not take place'),
  reportee_au: nullable(DateOnly('The day it is moved to; null when it is dropped')),
})

export const RangInMonth = nullable(
  Type.Unsafe<Rang>({
    type: 'integer',
    enum: rangs,
    description:
      'Once a month: which of these weekdays, 1 to 4, or -1 for the last; with one weekday, and weeks that are not counted. Null: every so many weeks',
    examples: [null],
  }),
)

const CollecteRow = Type.Object({
  id: Id(),
  type_dechet: Type.String({ examples: ['emballages'] }),
  libelle: Type.String({ examples: ['Bac jaune'] }),
  secteur: textOrNull('Centre'),
  mode: oneOf(collecteModes),
  jours: Type.Array(oneOf(JOURS), { examples: [['mardi']] }),
  toutes_les_semaines: Type.Integer({ description: 'Every how many weeks', examples: [2] }),
  rang: RangInMonth,
  a_partir_du: nullable(DateOnly('The first day; weeks are counted from it')),
  dates: Type.Array(DateOnly(), { examples: [[]] }),
  exceptions: Type.Array(Exception, { examples: [[{ date: '2026-12-25', reportee_au: '2026-12-26' }]] }),
  consignes: textOrNull('À sortir la veille au soir.'),
})
export type CollecteRow = Static<typeof CollecteRow>
export const collecteFields = CollecteRow.properties

export const Collecte = titled('Collecte', {
  ...collecteFields,
  prochaines: Type.Array(DateOnly(), {
    description: 'The next five dates, today included (Europe/Paris)',
    examples: [['2026-11-24', '2026-12-08', '2026-12-22', '2027-01-05', '2027-01-19']],
  }),
  passages: Type.Array(
    Type.Object({
      date: DateOnly(),
      jour_ferie: Type.Boolean({
        description:
          'The date is a public holiday of the département, and no exception says what happens then: show it as uncertain. An exception that moves the round to the same day confirms it',
        examples: [false],
      }),
    }),
    { description: 'The same dates as `prochaines`, each with what is known of it' },
  ),
})

export const Info = titled('CommuneInfo', {
  id: Id(),
  cle: Type.String({
    description: '`adresse`, `telephone`, `email`, `site_web`, or another',
    examples: ['horaires'],
  }),
  libelle: Type.String({ examples: ['Horaires'] }),
  valeur: Type.String({ examples: ['Lundi au vendredi, 8 h 30 – 17 h'] }),
  position: Type.Integer({ examples: [1] }),
})
export type Info = Static<typeof Info>

const Contact = Type.Object({
  adresse: textOrNull("Place de l'Hôtel-de-Ville, 73000 Chambéry"),
  telephone: textOrNull('04 65 71 00 00'),
  email: textOrNull('mairie@chambery.example'),
  site_web: textOrNull('https://www.chambery.example'),
})
export type Contact = Static<typeof Contact>
export const contactFields = Contact.properties

const source = nullable(oneOf(['mairie', 'commune'], 'Where the value comes from'))

export const Infos = titled('CommuneInfos', {
  ...contactFields,
  sources: Type.Object({ adresse: source, telephone: source, email: source, site_web: source }),
  complements: Type.Array(Info),
})
export type Infos = Static<typeof Infos>
