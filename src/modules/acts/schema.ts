import Type, { type Static } from 'typebox'
import { listQuery, pagingQuery, publicPerPage, several } from '../../platform/http/listing/paging.ts'
import {
  Can,
  DateOnly,
  filledLine,
  filledText,
  Id,
  named,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { subjectCodes } from './subjects.ts'

export const actKinds = [
  'deliberation',
  'arrete',
  'decision',
  'proces_verbal',
  'liste_des_deliberations',
  'budget',
  'autre',
] as const

const states = ['draft', 'published', 'superseded', 'archived', 'occulted'] as const
export const publicStates = ['published', 'superseded', 'archived', 'occulted'] as const

const acteurId = Id('Identifier of the mairie, or of the acteur of a group of communes')
const id = Id('Identifier of the act')
export const ByActeur = Type.Object({ acteurId })
export const OfActeur = Type.Object({ acteurId, id })
export const ById = Type.Object({ id })
export const ByCommune = Type.Object({ communeId: Id('Identifier of the commune') })

const Kind = oneOf(actKinds, 'What kind of act it is')
const Subject = oneOf(subjectCodes, 'Code of the national nomenclature of subjects')
const Year = Type.Integer({
  minimum: 1,
  maximum: 9_999,
  description: 'The year of the act',
  examples: [2026],
})

export const maxima = {
  title: 500,
  number: 50,
  author_first_name: 100,
  author_name: 100,
  author_quality: 200,
}
const maxReason = 500
/** Of at most four bytes each: see `act_files_text`. */
export const maxText = 50_000

const title = filledLine(maxima.title, {
  description: 'Its object, as it is written on it',
  examples: ['Subvention à l’école de musique'],
})
const number = filledLine(maxima.number, {
  description: 'Its number, which the mairie gives once',
  examples: ['2026-042'],
})
const date = DateOnly('The day it was adopted or signed; not in the future')
const author = {
  author_first_name: filledLine(maxima.author_first_name, { examples: ['Camille'] }),
  author_name: filledLine(maxima.author_name, { examples: ['Roux'] }),
  author_quality: filledLine(maxima.author_quality, {
    description: 'In which quality the author signed it',
    examples: ['Maire'],
  }),
}
const individual = Type.Boolean({
  description: 'It is about a person: search engines do not get it',
  examples: [false],
})
const supersedes = Id('The published act that this one corrects')

/** The fields of a form, `multipart/form-data`. */
export const ActUpload = strictObject(
  {
    file: Type.String({
      maxLength: 1_000,
      contentMediaType: 'application/octet-stream',
      description: 'The act as a PDF of at most 20 MB, which is kept byte for byte',
      examples: ['deliberation-2026-042.pdf'],
    }),
    kind: Kind,
    title,
    date,
    number: Type.Optional(number),
    author_first_name: Type.Optional(author.author_first_name),
    author_name: Type.Optional(author.author_name),
    author_quality: Type.Optional(author.author_quality),
    subject: Type.Optional(Subject),
    individual: Type.Optional(individual),
    supersedes: Type.Optional(supersedes),
  },
  { title: 'ActUpload' },
)
export type ActUpload = Static<typeof ActUpload>

export const ActUpdate = strictPartial(
  {
    kind: Kind,
    title,
    date,
    number: nullable(number),
    author_first_name: nullable(author.author_first_name),
    author_name: nullable(author.author_name),
    author_quality: nullable(author.author_quality),
    subject: nullable(Subject),
    individual,
    supersedes: nullable(supersedes),
    text: nullable(
      filledText(maxText, {
        description:
          'The text of a scan, which has none of its own: for the search and for who does not see pictures',
        examples: ['Le conseil municipal, vu le code général des collectivités territoriales…'],
      }),
    ),
  },
  { title: 'ActUpdate' },
)
export type ActUpdate = Static<typeof ActUpdate>

export const Occultation = strictObject({
  reason: filledText(maxReason, {
    description: 'Why its file goes, for everybody to read',
    examples: ['Décision du tribunal administratif du 3 novembre 2026'],
  }),
})
export type Occultation = Static<typeof Occultation>

const filters = {
  kind: several(Kind, 'Of one of these kinds, separated by commas'),
  year: Type.Optional(Year),
}

export const ManagedActsQuery = Type.Object({
  ...listQuery,
  state: several(oneOf(states), 'In one of these states, separated by commas'),
  ...filters,
})
export type ManagedActsQuery = Static<typeof ManagedActsQuery>

export const AdminActsQuery = Type.Object({
  ...listQuery,
  acteur_id: Type.Optional(Id('Of this mairie')),
  state: several(oneOf(states), 'In one of these states, separated by commas'),
  stamped: Type.Optional(
    Type.Literal(false, {
      description: 'Published acts that wait for their timestamp, while there is an authority',
    }),
  ),
})
export type AdminActsQuery = Static<typeof AdminActsQuery>

export const CommuneActsQuery = Type.Object({
  ...pagingQuery(publicPerPage),
  ...filters,
  subject: several(Subject, 'About one of these subjects, separated by commas'),
  q: Type.Optional(
    filledLine(200, {
      description: 'Words of the title, the number or the text; the last one may be a beginning',
      examples: ['voirie'],
    }),
  ),
})
export const ActsQuery = Type.Object({
  ...CommuneActsQuery.properties,
  commune_id: Type.Optional(Id('Published in the name of this commune')),
  acteur_id: Type.Optional(Id('Published by this mairie or intercommunalité')),
})
export type ActsQuery = Static<typeof ActsQuery>

const Named = named('ActParty', 'Évry-le-Neuf')

const seal = {
  number: Type.Integer({ description: 'Its place in the chain', examples: [17] }),
  seal: Type.String({
    description: 'SHA-256, as hexadecimal digits, of the seal before and of the digest of the record',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  timestamp: nullable(
    titled('ActTimestamp', {
      at: ResponseTimestamp('When the authority saw the seal'),
      authority: Type.String({
        description: 'Who signed that it saw the seal (RFC 3161)',
        examples: ['Horodatage 2026'],
      }),
    }),
  ),
}
const aboutSeal = 'What ties an act to all that were published before it'

export const Act = titled('Act', {
  id: Id(),
  acteur: Named,
  communes: Type.Array(Named, { description: 'The communes in whose name it was published' }),
  state: oneOf(
    publicStates,
    '`superseded`: another act corrects it. `archived`: off the lists. `occulted`: its file had to go',
  ),
  kind: Kind,
  number: textOrNull('2026-042'),
  title: Type.String({ examples: ['Subvention à l’école de musique'] }),
  date: DateOnly('The day it was adopted or signed'),
  author_first_name: Type.String({ examples: ['Camille'] }),
  author_name: Type.String({ examples: ['Roux'] }),
  author_quality: Type.String({ examples: ['Maire'] }),
  subject: nullable(Subject),
  individual,
  supersedes: nullable(Id('The act that it corrects')),
  superseded_by: nullable(Id('The act that corrects it')),
  published_at: ResponseTimestamp('When it went on line: the time for appeals begins'),
  archived_at: nullable(ResponseTimestamp()),
  occulted_at: nullable(ResponseTimestamp()),
  occulted_reason: textOrNull('Décision du tribunal administratif du 3 novembre 2026'),
  sha256: Type.String({
    description: 'Digest of its file, also when that is gone',
    examples: ['2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'],
  }),
  bytes: Type.Integer({ examples: [214_000] }),
  pages: Type.Integer({ examples: [2] }),
  url: nullable(
    Type.String({
      description: 'The file; null when it had to go',
      examples: ['/api/v1/acts/0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e/pdf'],
    }),
  ),
  seal: titled('ActSeal', seal, aboutSeal),
})
export type Act = Static<typeof Act>

const {
  author_first_name: _first,
  author_name: _name,
  author_quality: _quality,
  published_at: _at,
  seal: _seal,
  state: _state,
  acteur: _acteur,
  communes: _communes,
  ...shared
} = Act.properties

/** The names of what a mairie may do with an act; `actActions` has the conditions. */
const Actions = { edit: 0, delete: 0, publish: 0, archive: 0, occult: 0 }

export const ManagedAct = titled('ManagedAct', {
  ...shared,
  acteur_id: Id('The mairie acteur it belongs to'),
  state: oneOf(states),
  author_first_name: textOrNull('Camille'),
  author_name: textOrNull('Roux'),
  author_quality: textOrNull('Maire', 'In which quality the author signed it'),
  published_at: nullable(ResponseTimestamp()),
  seal: nullable(titled('NullableActSeal', seal, aboutSeal)),
  warnings: Type.Array(oneOf(['no_text', 'before_mairie']), {
    description:
      '`no_text`: the file is a scan, which no search finds and no screen reader reads. `before_mairie`: the act is older than the page of the mairie here; its time for appeals begins on the day it goes on line here all the same',
  }),
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp(),
  updated_at: ResponseTimestamp(),
  can: Can(Actions),
})
export type ManagedAct = Static<typeof ManagedAct>

const { acteur_id: _acteurId, can: _can, url: _url, ...managed } = ManagedAct.properties

export const AdminAct = titled('AdminAct', {
  ...managed,
  acteur: Named,
  stamping: nullable(
    titled('ActStamping', {
      attempts: Type.Integer({ description: 'How often the authority was asked', examples: [3] }),
      problem: textOrNull('The authority returned 503.', 'Why it gave none the last time'),
      next_at: ResponseTimestamp('When it is asked again'),
    }),
  ),
})
export type AdminAct = Static<typeof AdminAct>
