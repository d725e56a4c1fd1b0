import type { Config } from '../config/config.ts'

/**
 * Address of the space of an acteur, or of a screen of it, for mails to those who run it; without an acteur, where people
 * find theirs and their invitations. Null where the application is not served. Whoever is not signed in does so first, and
 * is then led there.
 */
export const spaceAddress = (
  { backoffice, publicUrl }: Pick<Config, 'backoffice' | 'publicUrl'>,
  ...path: [acteurId?: string, screen?: string]
): string | null => (backoffice ? [`${publicUrl}/backoffice/espace`, ...path].join('/') : null)
