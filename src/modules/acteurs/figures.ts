import { sql } from 'kysely'
import { countFigure } from '../../platform/figures.ts'

export const liveActeurs = countFigure('Not deleted', 312, sql`acteurs where deleted_at is null`)
