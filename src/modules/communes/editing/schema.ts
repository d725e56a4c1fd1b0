import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'
import { always } from '../../../platform/access/rules.ts'
import { columnsOf } from '../../../platform/database/columns.ts'
import {
  Can,
  DateOnly,
  filledLine,
  Id,
  line,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  text,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { ManagedDefibrillateur } from '../../defibrillateurs/schema.ts'
import { withPresence } from '../../presence/schema.ts'
import { JOURS } from '../calendar.ts'
import {
  communeFields,
  type Field,
  type FieldName,
  lookKinds,
  namesOf,
  type PictureName,
  typedKinds,
} from '../fields.ts'
import { gapNames } from '../gaps.ts'
import {
  Collecte,
  collecteModes,
  communeColumns,
  contactFields,
  Elu,
  Info,
  Infos,
  isNullable,
  pictureFields,
  pictureNames,
  RangInMonth,
  type Shown,
} from '../schema.ts'

const OwnId = Type.Optional(Id('Identifier of a row that stays; left out for a new one'))

const EluBody = strictObject(
  {
    id: OwnId,
    nom: line(100, { minLength: 1, examples: ['Vauquelin'] }),
    prenom: line(100, { examples: ['Odile'] }),
    fonction: line(200, { minLength: 1, examples: ['Maire'] }),
    ordre: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100_000, description: 'Default: the place in the list' }),
    ),
    photo_url: Type.Optional(
      nullable(
        line(500, {
          description: 'The address of a picture elsewhere. That of `photo`, as it is read, says nothing new',
          examples: ['https://mairie.example/photo.jpg'],
        }),
      ),
    ),
    photo: Type.Optional(
      nullable(
        Id(
          'A picture that the mairie has sent. It needs no description: the name stands beside it. Left out, a row that stays has what it had, unless `photo_url` names another address',
        ),
      ),
    ),
    mandat_debut: Type.Optional(nullable(DateOnly())),
  },
  { title: 'EluBody' },
)

const ExceptionBody = strictObject({ date: DateOnly(), reportee_au: nullable(DateOnly()) })

export const CollecteBody = strictObject(
  {
    id: OwnId,
    type_dechet: line(50, { minLength: 1, examples: ['emballages'] }),
    libelle: line(200, { minLength: 1, examples: ['Bac jaune'] }),
    secteur: Type.Optional(nullable(line(200, { examples: ['Centre'] }))),
    mode: oneOf(collecteModes),
    jours: Type.Optional(Type.Array(oneOf(JOURS), { maxItems: 7, uniqueItems: true, examples: [['mardi']] })),
    toutes_les_semaines: Type.Optional(Type.Integer({ minimum: 1, maximum: 52, examples: [2] })),
    rang: Type.Optional(RangInMonth),
    a_partir_du: Type.Optional(nullable(DateOnly('Needed when the weeks are counted by more than one'))),
    dates: Type.Optional(Type.Array(DateOnly(), { maxItems: 1_000, examples: [[]] })),
    exceptions: Type.Optional(
      Type.Array(ExceptionBody, {
        maxItems: 500,
        description: 'At most one for each `date`',
        examples: [[]],
      }),
    ),
    consignes: Type.Optional(nullable(text(2_000, { examples: ['À sortir la veille au soir.'] }))),
  },
  { title: 'CollecteBody' },
)

export type CollecteBody = Static<typeof CollecteBody>

const InfoBody = strictObject(
  {
    id: OwnId,
    cle: Type.String({ pattern: '^[a-z0-9_]{1,50}$', examples: ['horaires'] }),
    libelle: line(200, { minLength: 1, examples: ['Horaires'] }),
    valeur: text(5_000, { examples: ['Lundi au vendredi, 8 h 30 – 17 h'] }),
    position: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100_000, description: 'Default: the place in the list' }),
    ),
  },
  { title: 'InfoBody' },
)

/** The most rows of a sub-list. */
export const maxRows = { elus: 500, collectes: 200, infos: 200 }

const byId = (_field: Field, { description }: { description?: string }) => Id(description)

/** The input schema of each kind of field. */
const kinds = {
  line: ({ max = 200, required }, options) => line(max, { ...(required && { minLength: 1 }), ...options }),
  code: ({ pattern = '', max }, options) =>
    Type.String({ pattern, ...(max && { maxLength: max }), ...options }),
  codes: ({ pattern = '', max = 100 }, options) =>
    Type.Array(Type.String({ pattern }), { maxItems: max, ...options }),
  count: (_field, options) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, ...options }),
  degrees: ({ max = 180 }, options) => Type.Number({ minimum: -max, maximum: max, ...options }),
  acteur: byId,
  title: ({ max = 200 }, options) => filledLine(max, options),
  color: ({ pattern = '' }, options) => Type.String({ pattern, ...options }),
  emblem: byId,
  picture: byId,
} satisfies Record<
  Field['kind'],
  (field: Field, options: { description?: string; examples?: never[] }) => TSchema
>

/** Pictures are given by their ids. */
type Written<Name extends FieldName> = Name extends PictureName ? string | null : Shown<Name>

const bodyOf = <Name extends FieldName>(names: readonly Name[]) =>
  Object.fromEntries(
    names.map((name) => {
      const field: Field = communeFields[name]
      const { kind, written, example } = field
      const schema = kinds[kind](field, {
        ...(written && { description: written }),
        ...(example !== undefined && { examples: [example as never] }),
      })
      return [name, isNullable(field) ? nullable(schema) : schema]
    }),
  ) as { [N in Name]: TUnsafe<Written<N>> }

const { nom, code_insee, ...others } = bodyOf(namesOf(...typedKinds, 'acteur', ...lookKinds))
const subLists = {
  elus: Type.Array(EluBody, { maxItems: maxRows.elus, description: 'Replaced whole when given' }),
  collectes: Type.Array(CollecteBody, {
    maxItems: maxRows.collectes,
    description: 'Replaced whole when given',
  }),
  infos: Type.Array(InfoBody, { maxItems: maxRows.infos, description: 'Replaced whole when given' }),
}

export const CommuneCreate = strictObject({
  ...{ nom, code_insee },
  ...Type.Partial(Type.Object({ ...others, ...subLists })).properties,
})
export type CommuneCreate = Static<typeof CommuneCreate>
const look = bodyOf(namesOf(...lookKinds))
const pictures = bodyOf(pictureNames)
export const CommuneUpdate = strictPartial({ ...CommuneCreate.properties, ...pictures })
export type CommuneUpdate = Static<typeof CommuneUpdate>

export const Mairie = titled('CommuneMairie', {
  id: Id(),
  slug: Type.String({ examples: ['mairie-de-chambery'] }),
  nom: Type.String({ examples: ['Mairie de Chambéry'] }),
  active: Type.Boolean(),
  deleted_at: nullable(ResponseTimestamp()),
  ...contactFields,
})
export type Mairie = Static<typeof Mairie>

const CommuneRow = Type.Object({
  ...communeColumns,
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp(),
  updated_at: ResponseTimestamp(),
})
export type CommuneRow = Static<typeof CommuneRow>
export const managedColumns = CommuneRow.properties

/** The pictures as the row has them: by their ids. */
type StoredPictures = { [Name in PictureName]: Written<Name> }
export type StoredCommune = CommuneRow & StoredPictures
export const storedColumns = [...columnsOf(managedColumns), ...pictureNames]

export const gapsField = Type.Array(oneOf(gapNames), {
  description:
    'What it lacks: `infos`, if the public lacks the address, telephone, e-mail or website; `mairie`, if none is named or it is hidden',
  examples: [['elus', 'collectes']],
})

/** What administrators may do; `mairie` opens its mairie. */
export const communeActions = { edit: always, mairie: always }
export const canCommune = Can(communeActions)

const Counts = Type.Object({
  publications: Type.Integer({ description: 'Not deleted', examples: [120] }),
  acteurs: Type.Integer({ description: 'Not deleted', examples: [42] }),
  claims_pending: Type.Integer({ description: 'On its acteurs', examples: [1] }),
})
export type Counts = Static<typeof Counts>

/** The fields for administrators and the mairie. */
const communeOfMairie = {
  ...managedColumns,
  ...pictureFields,
  mairie: nullable(Mairie),
  infos: Infos,
  commune_infos: Type.Array(Info),
  elus: Type.Array(Elu),
  collectes: Type.Array(Collecte),
  gaps: gapsField,
  can: Can({ edit: true }),
}

export const CommuneOfMairie = titled('CommuneOfMairie', communeOfMairie)
export type CommuneOfMairie = Static<typeof CommuneOfMairie>

const { infos, collectes, elus } = subLists
/** What the mairie changes itself. */
export const CommuneOfMairieUpdate = strictPartial({ infos, collectes, elus, ...look, ...pictures })
export type CommuneOfMairieUpdate = Static<typeof CommuneOfMairieUpdate>

export const CommuneFull = titled('CommuneFull', {
  ...communeOfMairie,
  can: canCommune,
  defibrillateurs: Type.Array(ManagedDefibrillateur, {
    description: 'As GET /admin/communes/{id}/defibrillateurs',
  }),
  counts: Type.Object({
    ...Counts.properties,
    defibrillateurs: Type.Integer({ description: 'All of those above', examples: [12] }),
  }),
})
export type CommuneFull = Static<typeof CommuneFull>

export const CommuneRead = withPresence(CommuneFull.properties, 'CommuneRead')
