export const mailStatuses = ['failed', 'uncertain', 'queued', 'held', 'sending', 'sent'] as const
export type MailStatus = (typeof mailStatuses)[number]
export const mailKinds = [
  'publication_decision',
  'claim_decision',
  'claim_question',
  'alerte_reminder',
  'support_reply',
] as const

/** Without a state the list shows what needs somebody: failed and uncertain mails. */
export type MailsSearch = {
  status?: MailStatus | 'all'
  kind?: (typeof mailKinds)[number]
  page?: number
}

export function mailsSearch({ status, kind, page }: Record<string, unknown>): MailsSearch {
  const number = Number(page)
  const state = ([...mailStatuses, 'all'] as const).find((known) => known === status)
  const about = mailKinds.find((known) => known === kind)
  return {
    ...(state && { status: state }),
    ...(about && { kind: about }),
    ...(Number.isInteger(number) && number > 1 && { page: number }),
  }
}
