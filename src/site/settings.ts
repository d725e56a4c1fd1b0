import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { must, type Parse, type Settings, text } from '../platform/config/settings.ts'
import { contrast, parseColor } from './look/color.ts'

/** The public site as its operator has set it. */
export const siteSettings = {
  name: 'site',
  read: (read) => ({
    name: read.or('SITE_NAME', text, 'Parvis'),
    /** Legal name of who is responsible for the site. */
    owner: read.optional('SITE_OWNER', text),
    /** The person who is responsible for what is published, as the legal notice must name. */
    director: read.optional('SITE_DIRECTOR', text),
    /** Name, address and telephone of the host, for the legal notice. */
    host: read.optional('SITE_HOST', text),
    /** An address of mail or of a page. */
    contact: read.optional('SITE_CONTACT', mailOrUrl),
    /** The accessibility audit on which the declaration is based. */
    audit: read.optional('ACCESSIBILITY_AUDIT', accessibilityAudit),
    /** Licence of the data that can be downloaded. */
    licence: read.or('SITE_LICENCE', text, 'Licence Ouverte 2.0'),
    color: read.or('SITE_COLOR', readableColor, '#1d4f91'),
    logo: read.optional('SITE_LOGO', imageFile),
  }),
} satisfies Settings<SiteSettings>

export type SiteSettings = {
  name: string
  owner: string | null
  director: string | null
  host: string | null
  contact: string | null
  audit: AccessibilityAudit | null
  licence: string
  color: string
  logo: { type: string; content: Buffer } | null
}

/** `rate`: the percentage of the criteria of the RGAA that are met. */
type AccessibilityAudit = { date: string; auditor: string; rate: number; report: string }

/** Returns the state of conformity that the RGAA derives from the rate. */
export function conformityOf(audit: AccessibilityAudit | null): 'none' | 'partial' | 'full' {
  if (audit === null || audit.rate < 50) return 'none'
  return audit.rate < 100 ? 'partial' : 'full'
}

const accessibilityAudit: Parse<AccessibilityAudit> = (value) => {
  const [date = '', auditor = '', percentage = '', report = '', ...others] = value
    .split(';')
    .map((part) => part.trim())
  const rate = Number(/^(\d{1,3}(?:[.,]\d{1,2})?) ?%?$/.exec(percentage)?.[1]?.replace(',', '.'))
  const isComplete = isDate(date) && auditor !== '' && rate <= 100 && URL.parse(report)?.protocol === 'https:'
  if (!isComplete || others.length > 0)
    throw must(
      'the date, the auditor, the percentage of criteria that are met and the https address of the report, such as 2026-10-01; Cabinet Durand; 78; https://www.example.org/audit',
    )
  return { date, auditor, rate, report }
}

const isDate = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

const mailOrUrl: Parse<string> = (value) => {
  if (/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(value)) return value
  if (URL.parse(value)?.protocol === 'https:') return value
  throw must('an e-mail address or an https URL')
}

const readableColor: Parse<string> = (value) => {
  const color = parseColor(value)
  if (color === null || contrast(color, [255, 255, 255]) < 4.5)
    throw must('a colour such as #1d4f91, dark enough for text on white (contrast of 4.5 or more)')
  return value.toLowerCase()
}

const types: Record<string, string> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.webp': 'image/webp' }
const maxLogoBytes = 100_000

/** Reads the file at the start, so that no request depends on the disk. */
const imageFile: Parse<{ type: string; content: Buffer }> = (value) => {
  const type = types[extname(value).toLowerCase()]
  const rule = must(`a readable SVG, PNG or WebP file of at most ${maxLogoBytes / 1_000} kB`)
  if (type === undefined) throw rule
  let content: Buffer
  try {
    content = readFileSync(value)
  } catch {
    throw rule
  }
  if (content.length > maxLogoBytes) throw rule
  return { type, content }
}
