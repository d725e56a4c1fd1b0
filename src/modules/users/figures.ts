import { sql } from 'kysely'
import { countFigure } from '../../platform/figures.ts'

export const activeUsers = countFigure('Active', 458, sql`users where actif`)
