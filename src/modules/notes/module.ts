import { sql } from 'kysely'
import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'
import type { MovesOnMerge } from '../../platform/merging.ts'
import type { Module } from '../../platform/module.ts'
import { deleteOf, isTheirs, type Person, type Personal, rowsOf } from '../../platform/personal.ts'
import { note, noteRules, notesRoutes } from './notes.ts'

/** Must run before the erasure of claims and threads, because it finds them by their address. */
const isAbout = (person: Person) => sql<boolean>`(kind, record_id) in (
  select 'user', unnest(${person.userIds}::uuid[])
  union all
  select 'claim', id from claims
  where ${isTheirs(person)}
  union all
  select 'thread', id from support_threads
  where ${isTheirs(person)})`

/** Notes by the person, and about their account, claims and threads. An erasure deletes only the latter. */
const notesOfPerson: Personal = {
  name: 'notes',
  title: { en: 'Notes by them and about them', fr: 'Notes écrites par la personne ou à son sujet' },
  erasure: {
    en: 'Notes about their account, claims and threads are deleted. Notes they wrote about other records stay.',
    fr: 'Les notes sur son compte, ses revendications et ses échanges sont supprimées. Celles qu’elle a écrites ailleurs restent.',
  },
  kind: null,
  find: (person) => sql`
    select id::text as id, null::uuid as record_id, null::text as label
    from notes where created_by = any(${person.userIds}::uuid[]) or ${isAbout(person)}`,
  read: rowsOf(
    'notes',
    sql`kind, record_id, body, created_at`,
    (person) => sql`(created_by = any(${person.userIds}::uuid[]) or ${isAbout(person)})`,
  ),
  erase: deleteOf('notes', isAbout),
}

/** Moves the notes about a merged acteur, which have no foreign key to it. */
const moveNotes: MovesOnMerge = async (tx, _deps, { from, into }, limit) => {
  const { rows } = await sql`
    update notes set record_id = ${into} where id = any(array(
      select id from notes where kind = 'acteur' and record_id = ${from} order by id desc limit ${limit}
      for no key update))
    returning id`.execute(tx)
  return rows.length
}

export const deleteOldNotes = deletionAfterMonths('notes', 'created_at')

export const notes = {
  name: 'notes',
  about: 'Notes between colleagues about a record',
  routes: { office: notesRoutes },
  permissions: Object.values(noteRules),
  audited: [note],
  movesOnMerge: [moveNotes],
  personal: [notesOfPerson],
  retention: [{ name: 'notes', months: 24, sweep: deleteOldNotes }],
} satisfies Module
