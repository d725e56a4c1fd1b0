/** Topics of events, with the area whose colleagues receive them. */
export const areaOfTopic = {
  publications: 'publications',
  reports: 'publications',
  complaints: 'publications',
  claims: 'claims',
  threads: 'messages',
  runs: 'import-sources',
  payment_events: 'subscriptions',
  mails: 'mails',
  acteurs: 'acteurs',
  communes: 'communes',
  users: 'users',
  defibrillateurs: 'defibrillateurs',
  subscriptions: 'subscriptions',
  alertes: 'alertes',
  reference: 'reference',
} as const

export type Topic = keyof typeof areaOfTopic

const topicOfEntity: Record<string, Topic> = {
  publication: 'publications',
  complaint: 'complaints',
  claim: 'claims',
  thread: 'threads',
  import_run: 'runs',
  import_source: 'runs',
  payment_event: 'payment_events',
  acteur: 'acteurs',
  commune: 'communes',
  user: 'users',
  person: 'users',
  defibrillateur: 'defibrillateurs',
  defibrillateur_sync: 'defibrillateurs',
  subscription: 'subscriptions',
  alerte: 'alertes',
  publication_type: 'reference',
  app_source: 'reference',
  search_term: 'reference',
}

/** Actions on publications that may open or close reports. */
const changesReports = /^publication\.(report|close_reports|moderate|valide|keep|delete|restore|undo)$/

/** Returns the topics of an audit entry. */
export function topicsOf({ entity, action }: { entity: string; action: string }): Topic[] {
  if (action === 'mail.resend' || action === 'mail.settle') return ['mails']
  if (action === 'person.erase') return changedByErasure
  const topic = topicOfEntity[entity]
  if (topic === undefined) return []
  return changesReports.test(action) ? [topic, 'reports'] : [topic]
}

/** An erasure changes records of many areas, with one entry. */
const changedByErasure: Topic[] = [
  'users',
  'claims',
  'threads',
  'acteurs',
  'publications',
  'reports',
  'complaints',
]

/** Topics of a mail about a record; some records show the state of their mails. */
export const topicsOfMail = (entity: string): Topic[] =>
  entity === 'claim' ? ['mails', 'claims'] : entity === 'thread' ? ['mails', 'threads'] : ['mails']

/** Counts to compare, because jobs change this work without an audit entry: runs, for instance. */
export const watchedCounts: readonly string[] = ['threads', 'runs', 'payment_events'] satisfies Topic[]
