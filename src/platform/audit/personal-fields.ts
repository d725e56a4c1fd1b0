/**
 * What the audit trail must not hold, by kind of record: names and contacts of people, and what they wrote. Of these
 * fields it keeps the name alone. A kind that does not stand here cannot be audited.
 */
const personal = {
  acteur: ['adresse', 'telephone', 'email', 'site_web'],
  alerte: [],
  app_source: [],
  claim: ['nom', 'email', 'telephone', 'message', 'reason'],
  commune: ['elus', 'infos'],
  publication: [],
  publication_report: ['reason', 'message', 'caller_key'],
  user: ['nom', 'email', 'subject'],
} as const

export type AuditEntity = keyof typeof personal

export const personalFields: Record<AuditEntity, readonly string[]> = personal
