import { parseMailAddress } from '../../../platform/formats/mail-address.ts'

/**
 * True if a mail address belongs to a web site: both have the same domain, or one domain lies within the
 * other (`contact@club.example` or `contact@mail.club.example`, and `https://www.club.example`). Compares in
 * ASCII, so that every spelling of an international domain matches. Null if there is nothing to compare.
 *
 * Two subdomains of one domain never match: without a list of all registries, `a.gouv.fr` and `b.gouv.fr`
 * look like two hosts of one owner. The result is a hint for the moderator, so doubtful cases are false.
 */
export function emailMatchesSite(email: string | null, site: string | null): boolean | null {
  const mailDomain = email === null ? null : domainOf(parseMailAddress(email))
  const host = site === null || !URL.canParse(site) ? null : new URL(site).hostname
  if (mailDomain === null || host === null) return null
  const siteDomain = host.replace(/\.$/, '').replace(/^www\./, '')
  if (isShared(mailDomain) || isShared(siteDomain)) return false
  return isWithin(mailDomain, siteDomain) || isWithin(siteDomain, mailDomain)
}

const domainOf = (address: string | null) =>
  address
    ?.split('@')[1]
    ?.toLowerCase()
    .replace(/^www\./, '') ?? null

const isWithin = (inner: string, outer: string) => inner === outer || inner.endsWith(`.${outer}`)

/** True for a top-level domain, and for a domain where anybody can get an address, a page or a name. */
const isShared = (domain: string) => !domain.includes('.') || shared.has(domain)

const shared = new Set(
  // Public mail providers.
  `aliceadsl.fr aol.com aol.fr bbox.fr caramail.com cegetel.net club-internet.fr dartybox.com dbmail.com email.com
  fastmail.com free.fr gmail.com gmx.com gmx.de gmx.fr gmx.net googlemail.com hey.com hotmail.be hotmail.ch hotmail.co.uk
  hotmail.com hotmail.fr icloud.com inbox.com ik.me infomaniak.ch lagoon.nc laposte.net libertysurf.fr live.be live.com
  live.fr mac.com mail.com mail.fr mail.ru mailo.com mailo.eu me.com mediaserv.net msn.com net-c.com netcourrier.com neuf.fr
  noos.fr nordnet.fr numericable.com numericable.fr only.fr orange.com orange.fr outlook.be outlook.com outlook.fr
  ovh.fr pm.me posteo.de posteo.net proton.me protonmail.ch protonmail.com riseup.net rocketmail.com sfr.fr skynet.be
  skynet.fr t-online.de tele2.fr tiscali.fr tuta.com tuta.io tutanota.com voila.fr wanadoo.fr web.de yahoo.be yahoo.ca
  yahoo.co.uk yahoo.com yahoo.fr yandex.com yandex.ru ymail.com zaclys.net zoho.com zoho.eu`
    .split(/\s+/)
    .concat(
      // Public web hosts.
      `assoconnect.com blogger.com blogspot.com blogspot.fr canalblog.com carrd.co clubeo.com e-monsite.com eklablog.com
      facebook.com fb.com fb.me footeo.com framasoft.org free.fr github.com github.io gitlab.io goo.gl google.com
      google.fr helloasso.com ifrance.com instagram.com jimdo.com jimdofree.com linkedin.com linktr.ee lodgify.com
      medium.com meetup.com netlify.app notion.site over-blog.com over-blog.fr overblog.com pagesjaunes.fr
      pagesperso-orange.fr planity.com site123.me sitew.com sitew.fr skyrock.com sportsregions.fr squarespace.com
      substack.com tiktok.com tripadvisor.fr tumblr.com twitter.com vercel.app webnode.fr webself.net weebly.com wix.com
      wixsite.com wordpress.com x.com youtu.be youtube.com`.split(/\s+/),
      // Registries that sell or assign domains below these.
      `aeroport.fr ass.km asso.fr asso.gp asso.mc asso.nc asso.re avocat.fr cci.fr chambagri.fr chirurgiens-dentistes.fr
      co.uk collectivite.fr com.fr com.gp com.re eu.org eu.com experts-comptables.fr fr.eu.org geometre-expert.fr gouv.fr
      gov.uk greta.fr huissier-justice.fr medecin.fr nom.fr nom.nc nom.re notaires.fr org.uk pharmacien.fr port.fr prd.fr
      presse.fr tm.fr uk.com veterinaire.fr`.split(/\s+/),
    ),
)
