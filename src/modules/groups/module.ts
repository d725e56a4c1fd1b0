import { conflict, invalid } from '../../platform/errors.ts'
import type { Module } from '../../platform/module.ts'
import { slugTaken } from '../communes/errors.ts'
import { readingRoutes } from './reading.ts'
import { group } from './record.ts'
import { groupsAdminRoutes } from './routes.admin.ts'

export const groups = {
  name: 'groups',
  about: 'Groups of communes: intercommunalities, syndicates and others',
  routes: { public: readingRoutes, admin: { area: 'groups', routes: groupsAdminRoutes } },
  constraints: {
    groups_slug_key: slugTaken,
    groups_siren_key: conflict,
    groups_acteur: () =>
      invalid('acteur_id', {
        en: 'must be an acteur of type intercommunalite',
        fr: 'doit être un acteur de type intercommunalité',
      }),
  },
  audited: [group],
} satisfies Module
