import { defined, oneOf, pageOf, type SearchParams } from '../../shell/lists/search-params.ts'

export const mailStatuses = ['failed', 'uncertain', 'queued', 'held', 'sending', 'sent'] as const
export type MailStatus = (typeof mailStatuses)[number]
export const mailKinds = [
  'publication_decision',
  'acteur_deactivation',
  'claim_decision',
  'claim_question',
  'alerte_reminder',
  'alerte_hiding',
  'support_reply',
  'claim_receipt',
  'publication_acceptance',
  'sign_in_code',
  'user_invitation',
  'team_invitation',
  'membership',
  'former_address',
  'new_device',
  'subscriber_confirmation',
  'report_outcome',
  'complaint',
  'digest',
  'administrator_notice',
  'webhook_notice',
] as const

/** Without a state the list shows what needs somebody: failed and uncertain mails. */
export type MailsSearch = {
  status?: MailStatus | 'settled' | 'all'
  kind?: (typeof mailKinds)[number]
  page?: number
}

export const mailsSearch = ({ status, kind, page }: SearchParams): MailsSearch =>
  defined({
    status: oneOf([...mailStatuses, 'settled', 'all'] as const, status),
    kind: oneOf(mailKinds, kind),
    page: pageOf(page),
  })
