import { sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid } from '../../platform/errors.ts'
import { countFigure } from '../../platform/figures.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import type { Module } from '../../platform/module.ts'
import { bearsAddress, type Person, type Personal, rowsOf } from '../../platform/personal.ts'
import { byWord, maxFound, type SearchSource } from '../../platform/search-source.ts'
import { fieldNames } from './fields.ts'
import { mergeHandler, mergeJob, resumeMergesHandler, resumeMergesSchedule } from './merge/jobs.ts'
import { mailOwnerHandler, ownerMails } from './notify.ts'
import { acteursNamed, isOnItsOwn } from './queries.ts'
import { readingRoutes } from './reading.ts'
import { acteur } from './record.ts'
import { refreshHandler, resumeRefreshesHandler, resumeRefreshesSchedule } from './refresh-lists.ts'
import { acteursAdminRoutes } from './routes.admin.ts'
import { yearRoutes } from './year.ts'

/** Acteurs with the person's contact address. An erasure keeps the acteur and its other contacts. */
const contactsOfPerson: Personal = {
  name: 'acteurs',
  title: { en: 'Organisations with this contact address', fr: 'Acteurs ayant cette adresse de contact' },
  erasure: {
    en: 'Stay and lose this e-mail address. Check their other contacts, which may be the person’s too.',
    fr: 'Restent et perdent cette adresse e-mail. Vérifiez leurs autres contacts, qui sont peut-être aussi ceux de la personne.',
  },
  ofOthers: true,
  kind: 'acteur',
  find: (person) => sql`
    select id::text as id, id as record_id, nom as label from acteurs where ${bearsAddress(person)}`,
  read: rowsOf('acteurs', columnList(['nom', 'type', ...fieldNames]), bearsAddress),
  erase: eraseContacts,
}

async function eraseContacts(tx: Database, person: Person): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update acteurs set email = null where ${bearsAddress(person)} returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deleted acteurs are found only by id and slug. */
const acteursSearchSource: SearchSource = {
  kind: 'acteur',
  shown: sql`
    select a.nom as label, (select c.nom from communes c where c.id = a.commune_id) as detail
    from acteurs a where a.id = found.id`,
  answering: sql`coalesce(merged_into, id)`,
  ways: (q) => [
    {
      ids: sql`select coalesce(merged_into, id) as id from acteurs where slug = ${q.toLowerCase()}`,
      exact: true,
    },
    { ids: acteursNamed(q, maxFound) },
    ...byWord('acteurs', q, isOnItsOwn),
  ],
}

/** Maps database constraints to API errors. */
const acteursConstraints: ConstraintErrors = {
  acteurs_commune: () =>
    invalid('commune_id', { en: 'is not an existing commune', fr: 'n’est pas une commune existante' }),
}

const liveActeurs = countFigure('Not deleted', 312, sql`acteurs where deleted_at is null`)

export const acteurs = {
  name: 'acteurs',
  about: 'Associations, shops, town halls and others who act in a commune',
  routes: {
    public: readingRoutes,
    admin: { area: 'acteurs', routes: acteursAdminRoutes },
    office: yearRoutes,
  },
  constraints: acteursConstraints,
  audited: [acteur],
  jobs: {
    handlers: (deps) => [
      mergeHandler(deps),
      resumeMergesHandler(deps),
      refreshHandler(deps),
      resumeRefreshesHandler(deps),
      mailOwnerHandler(deps),
    ],
    schedules: [resumeMergesSchedule, resumeRefreshesSchedule],
    authored: [mergeJob.name],
  },
  office: { figures: { acteurs: liveActeurs }, searchSources: [acteursSearchSource], mails: [ownerMails] },
  personal: [contactsOfPerson],
} satisfies Module
