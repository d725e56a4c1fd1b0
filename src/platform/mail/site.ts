import type { Config } from '../config/config.ts'

/** Address of a page of the site, for mails; null where the site is not served. */
export const siteAddress = (
  { hasSite, publicSiteUrl, publicUrl }: Pick<Config, 'hasSite' | 'publicSiteUrl' | 'publicUrl'>,
  path: string,
): string | null => (hasSite ? `${publicSiteUrl ?? publicUrl}/${path}` : null)
