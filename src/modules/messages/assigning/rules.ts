import type { Database } from '../../../platform/database/connect.ts'
import { invalid } from '../../../platform/errors.ts'
import { canHandle } from './queries.ts'

/** Requires a colleague who may open the inbox, or nobody; 422 otherwise. */
export async function requireColleague(tx: Database, field: string, userId: string | null): Promise<void> {
  if (userId !== null && !(await canHandle(tx, userId))) throw invalid(field, unable)
}

const unable = {
  en: 'is not a colleague who may open messages',
  fr: 'n’est pas un compte qui peut ouvrir les messages',
}
