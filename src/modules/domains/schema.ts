import Type, { type Static } from 'typebox'
import { idsQuery, listQuery, sortQuery } from '../../platform/http/listing/paging.ts'
import {
  Can,
  Id,
  nullable,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  titled,
} from '../../platform/http/validation/schemas.ts'

export const ById = Type.Object({ id: Id('Identifier of the domain') })

export const host = Type.String({
  pattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$',
  maxLength: 253,
  description: 'Host name in lower case, without port; with accents in its form for the DNS (`xn--…`)',
  examples: ['www.chambery.example'],
})
const commune_id = nullable(Id('The commune that is its home; null if it is a group'))
const group_id = nullable(Id('The group of communes that is its home; null if it is a commune'))

const place = (title: string, slug: string, nom: string) =>
  nullable(
    titled(title, {
      id: Id(),
      slug: Type.String({ examples: [slug] }),
      nom: Type.String({ examples: [nom] }),
    }),
  )

/** Columns that are stored in the row of a domain. */
export const storedFields = {
  id: Id(),
  ...{ host, commune_id, group_id },
  token: Type.String({
    description:
      'Proves who controls the host: as a TXT record `_parvis.<host>`, or as the text of `/.well-known/parvis-domain` on it',
    examples: ['q4Zc0yqgM3a7yXvT2bJm9kP1sWd8eLr5uNh6oFiGtRA'],
  }),
  verified_at: nullable(ResponseTimestamp('When the token was found last; null: not yet')),
  is_primary: Type.Boolean({
    description: 'Chosen among the domains of its commune or group',
    examples: [false],
  }),
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp(),
  updated_at: ResponseTimestamp(),
}
const StoredDomain = Type.Object(storedFields)
export type StoredDomain = Static<typeof StoredDomain>

export const domainActions = {
  edit: () => true,
  verify: () => true,
  primary: (domain: Pick<StoredDomain, 'verified_at' | 'is_primary'>) =>
    isProven(domain) && !domain.is_primary,
  delete: () => true,
}
export const isProven = ({ verified_at }: Pick<StoredDomain, 'verified_at'>): boolean => verified_at !== null

export const Domain = titled('Domain', {
  ...storedFields,
  commune: place('CommuneOfDomain', 'chambery', 'Chambéry'),
  group: place('GroupOfDomain', 'ca-du-grand-chambery', 'CA du Grand Chambéry'),
  is_canonical: Type.Boolean({
    description:
      'Links, mails and search engines get its addresses: the primary domain of its place; if none was chosen, the oldest that is proven',
    examples: [true],
  }),
  can: Can(domainActions),
})
export type Domain = Static<typeof Domain>
export type ListedDomain = Omit<Domain, 'can'>

export const DomainsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['host', 'created_at'], 'host_asc'),
  ids: idsQuery,
  commune_id: Type.Optional(Id('Domains of this commune')),
  group_id: Type.Optional(Id('Domains of this group')),
})
export type DomainsQuery = Static<typeof DomainsQuery>

export const DomainCreate = strictObject({
  host,
  commune_id: Type.Optional(commune_id),
  group_id: Type.Optional(group_id),
})
export type DomainCreate = Static<typeof DomainCreate>

export const DomainUpdate = strictPartial({ host, commune_id, group_id }, { minProperties: 1 })
export type DomainUpdate = Static<typeof DomainUpdate>
