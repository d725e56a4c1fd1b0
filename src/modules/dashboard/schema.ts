import Type from 'typebox'
import type { Figures } from '../../platform/module.ts'

/** Flat, without `data`. What cannot be counted, or not in time, is left out. */
export function dashboardOf(figures: Figures) {
  const fields = Object.entries(figures).map(([name, { schema }]) => [name, Type.Optional(schema)] as const)
  return Type.Object(Object.fromEntries(fields), { title: 'Dashboard' })
}
