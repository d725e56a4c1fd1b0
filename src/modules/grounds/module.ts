import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'
import type { Module } from '../../platform/module.ts'
import { groundConstraints, groundKind, groundsRoutes, publicGroundsRoutes } from './grounds.ts'
import { statementsOfActeurs, statementsOfPerson } from './personal.ts'

/** Deletes old statements; the audit log keeps the decisions. */
const deleteOldStatements = deletionAfterMonths('statements', 'decided_at')

export const grounds = {
  name: 'grounds',
  about: 'Rules and laws by which content is refused, and the statements of reasons',
  routes: { public: publicGroundsRoutes, admin: { area: 'publications', routes: groundsRoutes } },
  constraints: groundConstraints,
  audited: [groundKind],
  personal: [statementsOfPerson, statementsOfActeurs],
  retention: [{ name: 'statements', months: 60, sweep: deleteOldStatements }],
} satisfies Module
