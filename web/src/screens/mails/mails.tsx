import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { SettleDialog } from '../../shell/deciding/settle-dialog.tsx'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ExportButton } from '../../shell/lists/export-button.tsx'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { MailNote } from '../../shell/mail-place.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { RecordLink } from '../../shell/records/record-link.tsx'
import { useFailureToast } from '../../shell/shown-failure.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterRow } from '../../ui/filter-row.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './mails.module.css'
import { type Mail, mailsQuery, perPage, queryOf, resendMail, settleMail } from './queries.ts'
import { type MailStatus, type MailsSearch, mailKinds, mailStatuses } from './search.ts'

const route = getRouteApi('/signed-in/mails')
const tones: Record<MailStatus, Tone> = {
  failed: 'bad',
  uncertain: 'warn',
  queued: 'plain',
  held: 'plain',
  sending: 'plain',
  sent: 'good',
}

/** Lists mails and what became of them; first those that failed or are uncertain, which can be resent. */
export function MailsScreen() {
  const words = useTranslations('mails')
  const nameOf = ({ kind_label: kind, record_name: name }: Mail) =>
    name === null ? kind : words('about', { kind, name })
  const showFailure = useFailureToast()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const mails = useQuery(mailsQuery(search, useLocale()))
  const [asked, setAsked] = useState<Mail | null>(null)
  const [settled, setSettled] = useState<Mail | null>(null)
  const show = (changed: MailsSearch) => {
    const { page: _first, ...before } = search
    void navigate({ search: { ...before, ...changed } })
  }
  const reload = () => {
    void client.invalidateQueries({ queryKey: ['mails'] })
    void client.invalidateQueries({ queryKey: ['dashboard'] })
  }
  const sending = useSubmit({
    mutationFn: ({ id }: Mail) => resendMail(id),
    onSuccess: () => showToast({ title: words('resent') }),
    onError: (error) => showFailure(words('notResent'), error),
    onSettled: () => {
      setAsked(null)
      reload()
    },
  })
  return (
    <Page
      title={words('title')}
      actions={<ExportButton list="mails" query={queryOf(search)} meta={mails.data?.meta} />}
    >
      <FilterRow>
        <Select
          label={words('status')}
          value={search.status ?? 'open'}
          onChange={(status) => show({ status: status === 'open' ? undefined : status })}
          options={(['open', ...mailStatuses, 'settled', 'all'] as const).map((value) => ({
            value,
            label: words(`statuses.${value}`),
          }))}
        />
        <FilterSelect
          label={words('kind')}
          any={words('kinds.all')}
          value={search.kind}
          onChange={(kind) => show({ kind })}
          options={mailKinds.map((value) => ({ value, label: words(`kinds.${value}`) }))}
        />
      </FilterRow>
      <MailNote />
      <QueryState query={mails} lines={8} />
      {mails.data?.data.length === 0 && (
        <Empty icon="mail" title={words(search.status ? 'notFound.title' : 'empty.title')}>
          <p>{words(search.status ? 'notFound.text' : 'empty.text')}</p>
        </Empty>
      )}
      {mails.data && mails.data.data.length > 0 && (
        <Lines label={words('title')}>
          {mails.data.data.map((mail) => (
            <MailLine
              key={mail.id}
              mail={mail}
              onResend={() => setAsked(mail)}
              onSettle={() => setSettled(mail)}
            />
          ))}
        </Lines>
      )}
      <ListPager list={mails} perPage={perPage} />
      {settled !== null && (
        <SettleDialog
          name={nameOf(settled)}
          settle={(reason) => settleMail(settled.id, reason)}
          onClose={() => setSettled(null)}
          onSettled={reload}
        />
      )}
      {asked !== null && (
        <Confirm
          title={words('resendTitle')}
          action={words('resend')}
          isOpen
          isPending={sending.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() => sending.submit(asked)}
        >
          <p>
            {words('resendTo', { kind: asked.kind_label, recipient: asked.recipient ?? words('nobody') })}
          </p>
          <p>{words(asked.status === 'uncertain' ? 'resendUncertain' : 'resendFailed')}</p>
        </Confirm>
      )}
    </Page>
  )
}

type LineProps = { mail: Mail; onResend: () => void; onSettle: () => void }

function MailLine({ mail, onResend, onSettle }: LineProps) {
  const words = useTranslations('mails')
  const ofSettling = useTranslations('settle')
  const { kind_label: kind, status, entity, record_id: id, record_name: name, recipient } = mail
  const canResend = mail.can.includes('resend')
  return (
    <OneLine
      icon="mail"
      title={
        <RecordLink entity={entity} id={id} isTitle>
          {name === null ? kind : words('about', { kind, name })}
        </RecordLink>
      }
      badge={
        mail.settled_at === null ? (
          <Badge tone={tones[status]}>{words(`statuses.${status}`)}</Badge>
        ) : (
          <Badge>{ofSettling('settled')}</Badge>
        )
      }
      note={
        <>
          {recipient ?? words('nobody')} · <Time at={mail.status_at} />
          {mail.attempts > 0 && <> · {words('attempts', { count: mail.attempts })}</>}
        </>
      }
      actions={
        <>
          {canResend && (
            <Button small icon="refresh" onPress={onResend}>
              {words('resend')}
            </Button>
          )}
          {mail.can.includes('settle') && (
            <Button small look="quiet" aria-label={ofSettling('named', { name: kind })} onPress={onSettle}>
              {ofSettling('settle')}
            </Button>
          )}
        </>
      }
    >
      {mail.error !== null && status !== 'sent' && (
        <p className={styles.error}>{words('error', { error: mail.error })}</p>
      )}
      {!mail.needed && (status === 'failed' || status === 'uncertain') && <Soft>{words('notNeeded')}</Soft>}
    </OneLine>
  )
}
