import Type, { type Static, type TSchema } from 'typebox'
import {
  DateOnly,
  HourOfDay,
  Id,
  line,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  text,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { acteurTypes } from '../acteurs/schema.ts'
import { CommuneHiding } from '../communes/schema.ts'
import { Document, FoundIn, Image } from '../media/schema.ts'
import {
  type Field,
  type FieldName,
  type Kind,
  maxAdresseOfLieu,
  maxDocuments,
  maxImages,
  maxLine,
  maxNomOfLieu,
  maxStoredBody,
  maxTitle,
  type NamesOf,
  publicationFields,
} from './fields.ts'
import { hiddenReasons } from './visibility.ts'

export const imageProblems = ['refused', 'unreachable', 'missing', 'too_large', 'unusable'] as const
export type ImageProblem = (typeof imageProblems)[number]

export const moderationStatuses = ['pending', 'approved', 'published', 'rejected'] as const
export type ModerationStatus = (typeof moderationStatuses)[number]

export const ById = Type.Object({ id: Id('Identifier of the publication') })
export const ByMairie = Type.Object({ acteurId: Id('Identifier of the mairie acteur') })

const title = { examples: ['Fête de la pomme'] }
const body = { examples: ['<p>Pressage sur la place.</p>'] }
const address = ({ example = '' }: Field) => ({
  written: nullable(text(2_000, { description: 'An http or https address', examples: [example] })),
  answered: textOrNull(example),
})

const nom = { description: 'Its name', examples: ['Salle des fêtes'] }
const adresse = { description: 'Its address', examples: ['12 place de la Mairie, 01000 Bourg-en-Bresse'] }
const degrees = (most: number, example: number, description: string) =>
  nullable(Type.Number({ minimum: -most, maximum: most, description, examples: [example] }))
const coordinates = {
  latitude: degrees(90, 46.205, 'In degrees (WGS 84), together with the longitude; kept to six decimals'),
  longitude: degrees(180, 5.225, 'In degrees (WGS 84), together with the latitude; kept to six decimals'),
}

/** Where an event takes place. */
export const Lieu = titled('Lieu', {
  nom: textOrNull('Salle des fêtes', 'Its name'),
  adresse: textOrNull('12 place de la Mairie, 01000 Bourg-en-Bresse', 'Its address'),
  ...coordinates,
})
export type Lieu = Static<typeof Lieu>

const lieu = {
  written: nullable(
    strictPartial(
      {
        nom: nullable(text(maxNomOfLieu, nom)),
        adresse: nullable(text(maxAdresseOfLieu, adresse)),
        ...coordinates,
      },
      {
        title: 'WrittenLieu',
        description: 'Where it takes place, replaced whole; null, or a place without anything: none',
      },
    ),
  ),
  answered: nullable(Lieu),
}

const days = (maxItems: number, description: string) =>
  Type.Array(DateOnly(), { maxItems, uniqueItems: true, description, examples: [[]] })

const rule = {
  description:
    'An RRULE of iCalendar in whole days, with `UNTIL` or `COUNT`, which ends within two years of `date_debut`, its first date',
  examples: ['FREQ=WEEKLY;BYDAY=FR;UNTIL=20270625'],
}

const single = {
  date: DateOnly('One of its dates'),
  reportee_au: nullable(DateOnly('Moved to this day; null: called off, and shown as such')),
}
const ofSingles = { maxItems: 100, description: 'What differs for single dates', examples: [[]] }

/** When an event repeats. */
const Recurrence = titled('Recurrence', {
  regle: Type.String(rule),
  exceptions: days(800, 'Dates of the rule that are left out'),
  ajouts: days(100, 'More dates'),
  occurrences: Type.Array(titled('RecurrenceDate', single), ofSingles),
})
const { exceptions, ajouts } = Recurrence.properties
const occurrences = Type.Array(strictObject(single, { title: 'WrittenRecurrenceDate' }), ofSingles)
const recurrence = {
  written: nullable(
    strictObject(
      {
        regle: text(500, { minLength: 1, ...rule }),
        ...strictPartial({ exceptions, ajouts, occurrences }).properties,
      },
      {
        title: 'WrittenRecurrence',
        description: 'When it repeats, replaced whole; null: once',
      },
    ),
  ),
  answered: nullable(Recurrence),
}

/** The input and response schema of each kind of field. */
const kinds = {
  title: () => ({
    written: text(maxTitle, { minLength: 1, description: 'Plain text', ...title }),
    answered: Type.String(title),
  }),
  html: () => ({
    // Long enough for the stored form, so that clients can send it back.
    written: text(maxStoredBody, {
      minLength: 1,
      description:
        'Plain text, or a small subset of HTML: paragraphs, links, lists, emphasis, headings. At most 20 000 characters as they are written, 40 000 with what HTML adds (`&lt;` for `<`), 2 000 tags, and 50 of them within each other.',
      ...body,
    }),
    answered: Type.String({
      description: 'Plain text, or a small subset of HTML; at most 40 000 characters',
      ...body,
    }),
  }),
  type: () => ({ written: nullable(Id('One of the publication types')), answered: nullable(Id()) }),
  day: ({ description }: Field) => ({
    written: nullable(DateOnly(description)),
    answered: nullable(DateOnly()),
  }),
  hour({ description = '', example = '' }: Field) {
    const hour = nullable(HourOfDay(description, example))
    return { written: hour, answered: hour }
  },
  recurrence: () => recurrence,
  link: address,
  image: ({ example = '' }: Field) => ({
    written: nullable(
      text(2_000, {
        description:
          'The http or https address of a picture, which is fetched once, if it has no `images`. The address of a picture of ours, as it is answered, changes nothing',
        examples: [example],
      }),
    ),
    answered: textOrNull(
      '/media/0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e/1600.jpg',
      'The largest JPEG of its cover; until a picture elsewhere is fetched, its address',
    ),
  }),
  images: () => ({
    written: Type.Array(Id('A picture of the acteur'), {
      maxItems: maxImages,
      uniqueItems: true,
      description: 'Its pictures in their order; the first is its cover',
      examples: [[]],
    }),
    answered: Type.Array(Image, { description: 'The first is its cover' }),
  }),
  documents: () => ({
    written: Type.Array(Id('A document of the acteur'), {
      maxItems: maxDocuments,
      uniqueItems: true,
      description: 'Its documents in their order',
      examples: [[]],
    }),
    answered: Type.Array(Document),
  }),
  place: () => lieu,
  line: ({ label, description = label.en, example = '', max = maxLine }: Field) => ({
    written: nullable(line(max, { description, examples: [example] })),
    answered: textOrNull(example, description),
  }),
} satisfies Record<Kind, (field: Field) => { written: TSchema; answered: TSchema }>

type Schemas = {
  [Name in FieldName]: ReturnType<(typeof kinds)[(typeof publicationFields)[Name]['kind']]>
}

const schemas = Object.fromEntries(
  Object.entries<Field>(publicationFields).map(([name, field]) => [name, kinds[field.kind](field)]),
) as Schemas

export const writtenContent = eachField('written')
/** The content as it is stored: of pictures and documents, their ids. */
export type Content = {
  [Name in FieldName]: Name extends NamesOf<'images' | 'documents'>
    ? string[] | null
    : Static<Schemas[Name]['answered']>
}

function eachField<Part extends 'written' | 'answered'>(part: Part) {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, schema[part]])
  return Object.fromEntries(entries) as { [Name in FieldName]: Schemas[Name][Part] }
}

export const PublicationType = titled('PublicationType', {
  id: Id(),
  slug: Type.String({ examples: ['evenement'] }),
  libelle: Type.String({ examples: ['Événement'] }),
})

const Status = oneOf(
  moderationStatuses,
  '`pending`: waits for a decision. `approved`: accepted, and public from `publie_le` on; without a `publie_le` it stays hidden. `published`: accepted and public, at once if it had no `publie_le`. `rejected`: refused.',
)

/** Public fields of a publication. */
export const Publication = titled('Publication', {
  id: Id(),
  slug: Type.String({ examples: ['fete-de-la-pomme'] }),
  titre: schemas.title.answered,
  ...eachField('answered'),
  dates: Type.Array(DateOnly(), {
    description: 'Of a series, the next ten dates on which it takes place; empty for what happens once',
    examples: [[]],
  }),
  prochaine_date: nullable(DateOnly('The first of `dates`')),
  derniere_date: nullable(DateOnly('Of a series, its last date')),
  nombre_dates: nullable(
    Type.Integer({
      description: 'Of a series, how many dates it has, those called off included',
      examples: [12],
    }),
  ),
  acteur_id: nullable(Id()),
  acteur: nullable(
    titled('PublicationActeur', {
      id: Id(),
      nom: Type.String({ examples: ['Les Croqueurs de pommes'] }),
      slug: Type.String({ examples: ['croqueurs'] }),
      type: oneOf(acteurTypes),
      badge: textOrNull('Association de l’année'),
    }),
  ),
  commune_id: nullable(Id('The first of its communes')),
  commune: nullable(
    titled(
      'PublicationCommune',
      {
        id: Id(),
        slug: Type.String({ examples: ['bourg-en-bresse'] }),
        nom: Type.String({ examples: ['Bourg-en-Bresse'] }),
      },
      'The first of its communes',
    ),
  ),
  commune_ids: Type.Array(Id()),
  type: nullable(titled('TypeOfPublication', PublicationType.properties)),
  epingle: Type.Boolean({ description: "First in its acteur's own list" }),
  status: Status,
  moderation_status: Status,
  valide: Type.Boolean(),
  publie_le: nullable(ResponseTimestamp('Null: invisible everywhere')),
  en_avant: Type.Boolean({ description: 'Featured, now' }),
  featured_until: nullable(ResponseTimestamp()),
  created_at: ResponseTimestamp(),
  updated_at: ResponseTimestamp(),
  deleted_at: nullable(ResponseTimestamp('Always null to the public')),
  found_in: Type.Optional(nullable(FoundIn)),
})
export type Publication = Static<typeof Publication>

/** Adds the fields for members of the acteur and of a supervising mairie. */
export const MemberPublication = titled('MemberPublication', {
  ...Publication.properties,
  moderation_reason: textOrNull(
    'Hors sujet',
    'Null also where the caller is no member of its acteur, nor a moderator',
  ),
  resubmitted: Type.Boolean({
    description:
      'Waits again after a rejection, whose reason is the `moderation_reason` until it is accepted',
    examples: [false],
  }),
  image_problem: nullable(
    oneOf(
      imageProblems,
      'Why the picture that `image_url` names could not be fetched: the address may not be asked, its server does not answer, has no such file, it is too large, or no picture that can be shown. Null: it is ours, or waits',
    ),
  ),
  hidden_because: Type.Array(oneOf(hiddenReasons), {
    description:
      'Why the public does not see it now; empty when it does. `no_time`: not scheduled, it has no `publie_le`. `not_yet`: scheduled, its `publie_le` is in the future. `not_valid`: switched off. `acteur_inactive`, `acteur_deleted`: because of its acteur.',
    examples: [[]],
  }),
  hidden_in: Type.Array(CommuneHiding, {
    description:
      'The communes whose mairie hides what a group publishes; others show it. They stay among `commune_ids`',
  }),
  deleted_at: nullable(ResponseTimestamp()),
  version: Type.Integer({ examples: [1] }),
})
export type MemberPublication = Static<typeof MemberPublication>

/** Adds the fields for the back-office only. */
export const ManagedPublication = titled('ManagedPublication', {
  ...MemberPublication.properties,
  reports_open: Type.Integer({ description: 'Open reports of readers', examples: [0] }),
})
export type ManagedPublication = Static<typeof ManagedPublication>
