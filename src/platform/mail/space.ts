import type { Config } from '../config/config.ts'

/**
 * Address of a screen of the space of an acteur, for mails to those who run it; null where the application is not served.
 * Whoever is not signed in does so first, and is then led there.
 */
export const spaceAddress = (
  { backoffice, publicUrl }: Pick<Config, 'backoffice' | 'publicUrl'>,
  acteurId: string,
  screen = '',
): string | null =>
  backoffice ? `${publicUrl}/backoffice/espace/${acteurId}${screen === '' ? '' : `/${screen}`}` : null
