import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'
import type { Module } from '../../platform/module.ts'
import { groundConstraints, groundKind, groundsRoutes } from './grounds.ts'
import { ownStatementRoutes } from './own.ts'

/** Deletes old statements; the audit log keeps the decisions. */
const deleteOldStatements = deletionAfterMonths('statements', 'decided_at')

export const grounds = {
  name: 'grounds',
  about: 'Rules and laws by which content is refused, and the statements of reasons',
  routes: { admin: { area: 'publications', routes: groundsRoutes }, bearer: ownStatementRoutes },
  constraints: groundConstraints,
  audited: [groundKind],
  retention: [{ name: 'statements', months: 60, sweep: deleteOldStatements }],
} satisfies Module
