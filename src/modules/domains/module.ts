import { conflict, invalid } from '../../platform/errors.ts'
import type { Module } from '../../platform/module.ts'
import { domainsErrors } from './errors.ts'
import { domain } from './record.ts'
import { domainsAdminRoutes } from './routes.admin.ts'
import { domainsSettings } from './settings.ts'

const unknown = (field: string) => () => invalid(field, { en: 'does not exist', fr: 'n’existe pas' })

export const domains = {
  name: 'domains',
  about: 'Host names of communes and groups, and the proof of who controls them',
  routes: { admin: { area: 'domains', routes: domainsAdminRoutes } },
  settings: { own: domainsSettings },
  errors: domainsErrors,
  constraints: {
    domains_host_key: conflict,
    domains_primary: conflict,
    domains_commune: unknown('commune_id'),
    domains_group: unknown('group_id'),
    domains_one_place: () =>
      invalid('commune_id', {
        en: 'or group_id must be given, and not both',
        fr: 'ou group_id doit être donné, et pas les deux',
      }),
  },
  audited: [domain],
} satisfies Module
