import type { Config } from '../config/config.ts'

/** Address of a page of the site, for mails: on the platform, or under the origin of a domain; null where the site is not served. */
export const siteAddress = (
  { hasSite, publicSiteUrl, publicUrl }: Pick<Config, 'hasSite' | 'publicSiteUrl' | 'publicUrl'>,
  path: string,
  origin = publicSiteUrl ?? publicUrl,
): string | null => (hasSite ? `${origin}/${path}` : null)
