import type { Module } from '../../platform/module.ts'
import { moveNotes } from './merging.ts'
import { noteRules } from './permissions.ts'
import { notesOfPerson } from './personal.ts'
import { note } from './record.ts'
import { deleteOldNotes } from './retention.ts'
import { notesRoutes } from './routes.admin.ts'

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
